"""Settings come from the file, then the environment; what is wrong is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.errors import SettingsError
from harvester.settings import KEYS, MAX_FILE_BYTES, Settings, load_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "harvest.toml"


def test_without_file_and_environment_everything_has_a_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = load_settings(env={})
    assert found.data == Path("harvest-data")
    assert found.database_url == f"sqlite:///{Path('harvest-data/harvest.sqlite')}"
    assert found.redis_url is None
    assert found.blobs_url == str(Path("harvest-data/blobs"))
    assert found.rules_folder == Path("harvest-data/rules")
    assert (found.web_host, found.web_port, found.contact) == ("127.0.0.1", 8480, "")


def test_the_environment_wins_over_the_file_key_by_key(file: Path) -> None:
    file.write_text('contact = "a@example.org"\nweb_port = 1\nredis_url = "redis://a"\ndata = "d"\n')
    found = load_settings(file, {"HARVEST_WEB_PORT": "2", "HARVEST_REDIS_URL": "redis://b/0", "OTHER": "x"})
    assert (found.contact, found.web_port, found.redis_url) == ("a@example.org", 2, "redis://b/0")
    assert found.data == file.parent / "d"


def test_folders_of_the_file_are_taken_from_the_file_those_of_the_environment_are_not(file: Path) -> None:
    file.write_text('data = "d"\nrules = "/elsewhere"\n')
    assert load_settings(file, {}).rules_folder == Path("/elsewhere")
    assert load_settings(file, {"HARVEST_DATA": "e"}).data == Path("e")


def test_empty_values_mean_the_default(file: Path) -> None:
    file.write_text('database_url = ""\nblobs = ""\nweb_url = ""\n')
    found = load_settings(file, {"HARVEST_REDIS_URL": "", "HARVEST_DATA": ""})
    assert found.redis_url is None
    assert found.web_url is None
    assert found.blobs_url == str(Path("harvest-data/blobs"))


def test_the_file_in_the_working_folder_is_found(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("web_port = 77\n")
    monkeypatch.chdir(file.parent)
    assert load_settings(env={}).web_port == 77


def test_the_file_named_in_the_environment_is_read(file: Path) -> None:
    file.write_text("web_port = 78\n")
    assert load_settings(env={"HARVEST_CONFIG": str(file)}).web_port == 78
    with pytest.raises(SettingsError, match="HARVEST_CONFIG names it"):
        load_settings(env={"HARVEST_CONFIG": str(file) + ".not"})


def test_no_secret_shows_in_what_is_printed(file: Path) -> None:
    secret = "q7Zt"
    file.write_text("")
    found = load_settings(
        file,
        {
            "HARVEST_DATABASE_URL": f"postgresql+psycopg://me:{secret}@db/harvest",
            "HARVEST_REDIS_URL": f"redis://:{secret}@db/0",
            "HARVEST_BLOBS": f"s3://key:{secret}@bucket",
            "HARVEST_WEB_API_KEY": secret,
        },
    )
    assert secret not in repr(found)
    assert secret not in str(found)
    assert secret not in found.model_dump_json()
    assert secret in found.database_url
    assert secret in str(found.redis_url)


def test_a_wrong_secret_does_not_show_in_the_error(file: Path) -> None:
    file.write_text('database_url = "mysql://me:q7Zt@db"\n')
    with pytest.raises(SettingsError) as caught:
        load_settings(file, {})
    assert "q7Zt" not in str(caught.value)
    assert "postgresql+psycopg://" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# one\n\ncontact = 7\n", "line 3: `contact`: input should be a valid string"),
        ('contact = "nobody"\n', "line 1: `contact`: must be a mail address or a web page"),
        ('contact = "a@b (x)"\n', "without brackets"),
        ('\nweb_port = "many"\n', "line 2: `web_port`"),
        ("web_port = 70000\n", "less than or equal to 65535"),
        ('log_level = "loud"\n', "'debug', 'info', 'warning' or 'error'"),
        ('redis_url = "localhost"\n', "redis://HOST:PORT/0"),
        ('web_url = "example.org"\n', "https://search.example.org"),
        ('web_host = "no such host!"\n', "`web_host`"),
        ('data = "a\\u0000b"\n', "`data`: must be the name of a folder"),
        (
            "# x\ndatabse_url = 1\n",
            "line 2: there is no setting `databse_url` (did you mean `database_url`?)",
        ),
        ("[web]\nport = 1\n", "line 1: there is no setting `web`"),
        ("zzz = 1\n", "the settings are data, contact, database_url"),
        ("data = unquoted\n", "line 1: "),
        ("data = 1\ndata = 2\n", "line 2: Cannot overwrite a value"),
        ('data = "open\n', "line 1"),
        ("a = " + "[" * 5000, "it is nested too deeply"),
    ],
)
def test_a_fault_is_named_with_its_line_and_what_would_be_right(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(file, {})
    assert str(caught.value).startswith(str(file))
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"HARVEST_WEB_PORT": "x"}, "HARVEST_WEB_PORT: `web_port`"),
        (
            {"HARVEST_DATABSE_URL": "x"},
            "HARVEST_DATABSE_URL: there is no such setting (did you mean HARVEST_DATABASE_URL?)",
        ),
    ],
)
def test_a_fault_of_the_environment_names_the_variable(file: Path, env: dict[str, str], said: str) -> None:
    file.write_text("")
    with pytest.raises(SettingsError) as caught:
        load_settings(file, env)
    assert str(caught.value).startswith(said)


def test_variables_of_accounts_are_not_taken_for_settings(file: Path) -> None:
    file.write_text("")
    assert load_settings(file, {"HARVEST_EXAMPLE_PASSWORD": "x"}) == load_settings(file, {})


def test_a_file_that_is_missing_too_large_binary_or_a_folder_is_refused(file: Path) -> None:
    with pytest.raises(SettingsError, match="harvest init"):
        load_settings(file, {})
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(file.parent, {})
    file.write_bytes(b"\n\n\xff\xfe")
    with pytest.raises(SettingsError, match="line 3: it is not UTF-8"):
        load_settings(file, {})
    file.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(SettingsError, match="larger than"):
        load_settings(file, {})


def test_a_file_with_a_byte_order_mark_is_read(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbfweb_port = 5\n")
    assert load_settings(file, {}).web_port == 5


def test_settings_cannot_be_changed_and_every_key_is_described() -> None:
    found = Settings()
    with pytest.raises(ValueError, match="frozen"):
        found.web_port = 1
    assert all(field.description for field in KEYS.values())


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*KEYS, "x"]), st.text(max_size=20) | st.integers() | st.booleans(), max_size=4
    )
)
def test_any_environment_gives_settings_or_a_settings_error(values: dict[str, object]) -> None:
    env = {f"HARVEST_{key.upper()}": str(value) for key, value in values.items()}
    try:
        load_settings(Path("/dev/null"), env)
    except SettingsError as error:
        assert str(error).startswith("HARVEST_")  # noqa: PT017 - either outcome is right
