"""RQ jobs over one Redis: enqueue a refresh, run a worker. Names only go through Redis, never secrets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.job import JobStatus

from harvester.errors import QueueError

QUEUE = "harvest"
REFRESH_JOB = "harvester.worker.jobs.refresh_site"
JOB_SECONDS = 6 * 3600
"""After this long a job is given up; its crawl goes on with the next one."""
_PENDING = frozenset({JobStatus.QUEUED, JobStatus.STARTED, JobStatus.DEFERRED, JobStatus.SCHEDULED})


@contextmanager
def connected(url: str) -> Iterator[Redis]:
    """A checked connection; `QueueError` when Redis does not answer."""
    connection = Redis.from_url(url, socket_connect_timeout=5, health_check_interval=30)
    try:
        try:
            connection.ping()
        except RedisError as error:
            raise QueueError(
                "Redis does not answer", why=str(error), hint="check HARVEST_REDIS_URL and that it is running"
            ) from error
        yield connection
    finally:
        connection.close()


def enqueue_refresh(connection: Redis, site: str) -> bool:
    """Put a refresh of `site` on the queue; False when one is waiting or running already."""
    queue = Queue(QUEUE, connection=connection)
    job_id = _job_id(site)
    try:
        old = queue.fetch_job(job_id)
        if old is not None and old.get_status() in _PENDING:
            return False
        queue.enqueue_call(REFRESH_JOB, args=(site,), job_id=job_id, timeout=JOB_SECONDS, result_ttl=3600)
    except RedisError as error:
        raise QueueError(f"the refresh of {site} cannot be queued", why=str(error)) from error
    return True


def _job_id(site: str) -> str:
    """One id a site, of letters, digits, `_` and `-` as RQ wants it."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", site)[:60]
    return f"refresh-{readable}-{hashlib.sha256(site.encode()).hexdigest()[:8]}"


def work(connection: Redis, *, burst: bool) -> None:
    """Run jobs in this process: until the queue is empty (`burst`) or until it is told to stop."""
    worker = SimpleWorker([Queue(QUEUE, connection=connection)], connection=connection)
    worker.work(burst=burst, with_scheduler=False, logging_level="WARNING")
