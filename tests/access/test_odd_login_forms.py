"""Login forms of software that no engine file knows, as each writes them, are read right."""

from __future__ import annotations

import pytest

from harvester.access.forms import parse_forms
from harvester.access.login_choice import choose_login_form

FORMS = {
    "vanilla": (
        '<h1>Sign In</h1><div class="FormTitleWrapper"><form id="Form_User_SignIn" method'
        '="post" action="/entry/signin"><input type="hidden" name="TransientKey" value="a'
        'b"><input type="hidden" name="hpt" style="display:none"><input type="hidden" id='
        '"Form_Target" name="Target" value="/"><input type="hidden" name="ClientHour" val'
        'ue=""><ul><li><label for="Form_Email">Email/Username</label><input type="text" i'
        'd="Form_Email" name="Email" autocorrect="off" class="InputBox"></li><li><input t'
        'ype="password" id="Form_Password" name="Password" class="InputBox Password"><a h'
        'ref="/entry/passwordrequest" class="ForgotPassword">Forgot?</a></li><li class="B'
        'uttons"><input type="submit" id="Form_SignIn" name="Sign_In" value="Sign In" cla'
        'ss="Button Primary"><label class="CheckBoxLabel"><input type="checkbox" name="Ch'
        'eckboxes[]" value="RememberMe" style="display:none"><input type="checkbox" id="S'
        'ignInRememberMe" name="RememberMe" value="1"></label></li></ul></form><form id="'
        'Form_User_Password" method="post" action="/entry/passwordrequest" class="Hidden"'
        '><input type="text" name="Email"><input type=submit></form></div>'
    ),
    "wbb4": (
        '<h1>Login</h1><form method="post" action="https://f.example/login/" id="loginFor'
        'm"><fieldset><dl><dt><label for="username">Username or Email Address</label></dt'
        '><dd><input type="text" id="username" name="username" required autocomplete="use'
        'rname"></dd></dl><dl><dt><label for="password">Password</label></dt><dd><input t'
        'ype="password" id="password" name="password" autocomplete="current-password"></d'
        'd></dl></fieldset><div class="formSubmit"><input type="submit" value="Submit" ac'
        'cesskey="s"><input type="hidden" name="url" value=""><input type="hidden" name="'
        't" value="deadbeef"></div></form>'
    ),
    "wbb3": (
        '<form method="post" action="index.php?form=UserLogin" id="quickLogin"><div><inpu'
        't type="text" class="inputText" id="quickLoginUsername" name="loginUsername" val'
        'ue="Benutzername"><input type="password" class="inputText" id="quickLoginPasswor'
        'd" name="loginPassword"><input type="checkbox" id="useCookies" name="useCookies"'
        ' value="1"><input type="hidden" name="url" value="/"></div></form>'
    ),
    "smf1": (
        '<form action="https://f.example/index.php?action=login2" method="post" accept-ch'
        'arset="ISO-8859-1" name="frmLogin" id="frmLogin" onsubmit="hashLoginPassword(thi'
        's, \'abc\');"><table><tr><td>Username:</td><td><input type="text" name="user" size'
        '="20" value=""></td></tr><tr><td>Password:</td><td><input type="password" name="'
        'passwrd" value="" size="20"></td></tr><tr><td>Minutes to stay logged in:</td><td'
        '><input type="text" name="cookielength" size="4" maxlength="4" value="60"></td><'
        '/tr><tr><td>Always stay logged in:</td><td><input type="checkbox" name="cookiene'
        'verexp" class="check"></td></tr><tr><td colspan=2><input type="submit" value="Lo'
        'gin"></td></tr></table><input type="hidden" name="hash_passwrd" value=""></form>'
    ),
    "e107": (
        '<form method="post" action="/login.php"><input class="tbox login user" type="tex'
        't" name="username" id="username" size="40" placeholder="Username"><input class="'
        'tbox login pass" type="password" name="userpass" placeholder="Password"><input t'
        'ype="checkbox" name="autologin" value="1"> Remember me <input class="btn" type="'
        'submit" name="userlogin" value="Sign in"></form>'
    ),
    "dede": (
        '<form name="form1" method="POST" action="index_do.php"><input type="hidden" name'
        '="fmdo" value="login"><input type="hidden" name="dopost" value="login"><input ty'
        'pe="hidden" name="gourl" value=""><ul><li><span>用户名：</span><input id="txtUsernam'
        'e" class="intxt" type="text" name="userid"></li><li><span>密\u3000码：</span><input id="'
        'txtPassword" class="intxt" type="password" name="pwd"></li><li><span>验证码：</span>'
        '<input id="vdcode" class="intxt w200" style="width:50px" type="text" name="vdcod'
        'e"><img id="vdimgck" align="absmiddle" onClick="this.src=this.src+\'?\'" style="cu'
        'rsor: pointer;" alt="看不清？点击更换" src="../include/vdimgck.php"/></li><li><span>有效期：'
        '</span><input type="radio" value="2592000" name="keeptime" id="ra1"><label for="'
        'ra1">一个月</label><input type="radio" checked value="604800" name="keeptime"></li>'
        '<li><button id="btnSignCheck" class="button2" type="submit">登&nbsp;录</button></l'
        "i></ul></form>"
    ),
    "punbb": (
        '<form id="login" method="post" action="login.php?action=in" onsubmit="return pro'
        'cess_form(this)"><fieldset><legend>Enter your username and password below</legen'
        'd><input type="hidden" name="form_sent" value="1"><input type="hidden" name="red'
        'irect_url" value="index.php"><input type="hidden" name="csrf_token" value="x"><l'
        'abel><strong>Username</strong><br><input type="text" name="req_username" size="2'
        '5"></label><label><strong>Password</strong><input type="password" name="req_pass'
        'word"></label><label><input type="checkbox" name="save_pass" value="1">Log me in'
        ' automatically each time I visit.</label></fieldset><p><input type="submit" name'
        '="login" value="Login"></p></form>'
    ),
    "yabb": (
        '<form name="loginform" action="YaBB.pl?action=login2" method="post"><input type='
        '"text" name="username"><input type="password" name="passwrd"><input type="hidden'
        '" name="sredir" value=""><input type=text name=cookielength value=1500><input ty'
        'pe=submit value="Login"></form>'
    ),
    "ucoz": (
        '<form id="frmLg1" action="/index/sub/" method="post" onsubmit="sendFrm549687(thi'
        's);return false;"><table><tr><td>E-mail:</td><td><input class="loginField" type='
        '"text" name="user" value="" size="20"></td></tr><tr><td>Пароль:</td><td><input c'
        'lass="loginField" type="password" name="password"></td></tr></table><input id="r'
        'emlgn" type="checkbox" name="rem" value="1" checked> запомнить <input class="log'
        'inButton" name="sbm" type="submit" value="Вход"><input type="hidden" name="a" va'
        'lue="2"><input type="hidden" name="ajax" value="1"></form>'
    ),
    "dle": (
        '<form method="post" action=""><input type="text" name="login_name" id="login_nam'
        'e" placeholder="Логин"><input type="password" name="login_password" id="login_pa'
        'ssword"><button onclick="submit();" type="submit" title="Вход"><span>Вход</span>'
        '</button><input name="login" type="hidden" id="login" value="submit"></form>'
    ),
    "ipb3": (
        '<form action="https://f.example/index.php?app=core&amp;module=global&amp;section'
        '=login&amp;do=process" method="post" id="login"><input type="hidden" name="auth_'
        'key" value="880ea6"><input type="hidden" name="referer" value="/"><label for="ip'
        's_username">Username:</label><input id="ips_username" type="text" class="input_t'
        'ext" name="ips_username" size="50"><label>Password</label><input id="ips_passwor'
        'd" type="password" name="ips_password"><input type="checkbox" id="remember" chec'
        'ked name="rememberMe" value="1"><input type="checkbox" name="anonymous" value="1'
        '" id="inv"><input type="submit" class="input_submit" value="Sign In"></form>'
    ),
    "typecho": (
        '<form action="/action/login?_=abc" method="post" name="login" role="form"><input'
        ' type="text" id="name" name="name" value="" placeholder="用户名" class="text-l w-10'
        '0" autofocus><input type="password" id="password" name="password" class="text-l '
        'w-100" placeholder="密码"><button type="submit" class="btn btn-l w-100 primary">登录'
        '</button><input type="hidden" name="referer" value="/"><input type="checkbox" na'
        'me="remember" class="checkbox" value="1"></form>'
    ),
    "xiuno": (
        '<form action="user-login.htm" method="post" id="form"><input type="text" class="'
        'form-control" placeholder="Email / 用户名" id="email" name="email"><input type="pas'
        'sword" class="form-control" placeholder="密码" id="password" name="password"><butt'
        'on type="submit" class="btn btn-primary btn-block" id="submit" data-loading-text'
        '="正在提交...">登录</button></form>'
    ),
    "asp": (
        '<form method="post" action="./Login.aspx?ReturnUrl=%2f" id="aspnetForm"><input t'
        'ype="hidden" name="__VIEWSTATE" value="x"><input type="hidden" name="__EVENTVALI'
        'DATION" value="y"><input name="ctl00$Main$Login1$UserName" type="text" id="ctl00'
        '_Main_Login1_UserName"><input name="ctl00$Main$Login1$Password" type="password">'
        '<input id="RememberMe" type="checkbox" name="ctl00$Main$Login1$RememberMe"><inpu'
        't type="submit" name="ctl00$Main$Login1$LoginButton" value="Log In"><input name='
        '"ctl00$Search$q" type="text"><input type="submit" name="ctl00$Search$go" value="'
        'Search"></form>'
    ),
    "two-forms-register": (
        '<form action="/signup" method=post><input name=username><input type=email name=e'
        "mail><input type=password name=password><button>Sign up</button></form><form act"
        'ion="/session" method=post><input name=username_or_email><input type=password na'
        "me=password><button>Log in</button></form>"
    ),
    "email-only-type": (
        '<form action="/sessions" method=post><input type=email name=e><input type=passwo'
        "rd name=p><input type=submit value=Enviar></form>"
    ),
    "discourse": (
        '<div id="main"></div><noscript><form id="noscript-login" method="post" action="/'
        'login"><input name="username"><input type="password" name="password"></form></no'
        "script>"
    ),
    "gated-no-type": (
        '<form action="/auth" method="post"><p>Username <input name="u"></p><p>Passphrase'
        ' <input type="password" name="p"></p><button>Go</button></form>'
    ),
}
READ = {
    "vanilla": ("Email", "Password", "RememberMe", ""),
    "wbb4": ("username", "password", "", ""),
    "wbb3": ("loginUsername", "loginPassword", "useCookies", ""),
    "smf1": ("user", "passwrd", "cookieneverexp", ""),
    "e107": ("username", "userpass", "autologin", ""),
    "dede": ("userid", "pwd", "", "vdcode"),
    "punbb": ("req_username", "req_password", "", ""),
    "yabb": ("username", "passwrd", "", ""),
    "ucoz": ("user", "password", "", ""),
    "dle": ("login_name", "login_password", "", ""),
    "ipb3": ("ips_username", "ips_password", "rememberMe", ""),
    "typecho": ("name", "password", "remember", ""),
    "xiuno": ("email", "password", "", ""),
    "asp": ("ctl00$Main$Login1$UserName", "ctl00$Main$Login1$Password", "ctl00$Main$Login1$RememberMe", ""),
    "two-forms-register": ("username_or_email", "password", "", ""),
    "email-only-type": ("e", "p", "", ""),
    "discourse": ("username", "password", "", ""),
    "gated-no-type": ("u", "p", "", ""),
}
"""Names of the fields for user, password, staying logged in, and a captcha ("" for none)."""


@pytest.mark.parametrize("name", FORMS)
def test_the_form_and_its_fields_are_found(name: str) -> None:
    page = f"<html><head><title>x</title></head><body>{FORMS[name]}</body></html>"
    found = choose_login_form(parse_forms(page, "https://f.example/login/"))
    assert found is not None
    fields = (found.user, found.password, found.remember, found.answer)
    assert tuple(one.name if one is not None else "" for one in fields) == READ[name]
