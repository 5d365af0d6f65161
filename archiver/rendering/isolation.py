"""What keeps the browser from the network and from all that is not its own, as far as this machine allows."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.rendering.model import RenderRules

# Starting a namespace takes milliseconds; a machine in trouble gets this long.
_PROBE_SECONDS = 10.0
# Ends with the process that started it; what it starts in a process namespace ends with it.
_BOUND = ("setpriv", "--pdeathsig", "KILL")
# Its own processes, and nothing but a loopback device that is down.
_CLOSED = ("--net", "--pid", "--fork", "--kill-child", "--mount-proc")
# For where there is no network namespace: no name is found, and requests go to a port without a listener.
_DEAF = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
NETWORK_NAMESPACE = "network namespace"
RULES_ALONE = "resolver rules and a dead proxy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """How the browser is started."""

    prefix: tuple[str, ...]  # of its command
    name: str
    uid: int | None = None  # whose rights it gets; None: those of the crawl
    gid: int | None = None

    @property
    def arguments(self) -> tuple[str, ...]:
        """Given to the browser in any case: two locks are better than one."""
        return _DEAF


def isolation_for(rules: RenderRules) -> Isolation:
    """Return the strictest way that works here; refuse where the browser would be without its sandbox."""
    if not os.access(rules.browser, os.X_OK):
        raise ConfigurationError(
            f"RENDER_BROWSER = {rules.browser} is not there: install it (Debian: apt-get install chromium)"
        )
    user = _user(rules) if os.geteuid() == 0 else None
    drop = _drop(user)
    if rules.sandbox and not _works((*drop, "unshare", "--user")):
        raise ConfigurationError(
            "Chromium's sandbox needs user namespaces, which this machine does not allow: allow them"
            " (sysctl user.max_user_namespaces), or set RENDER_SANDBOX = False to render without it"
        )
    uid, gid = (user.pw_uid, user.pw_gid) if user else (None, None)
    prefix, name = next(one for one in _candidates(drop) if _works(one[0]))
    return Isolation(prefix=prefix, name=name, uid=uid, gid=gid)


def _user(rules: RenderRules) -> pwd.struct_passwd:
    try:
        user = pwd.getpwnam(rules.user)
    except KeyError:
        raise ConfigurationError(f"RENDER_USER = {rules.user}: this machine has no such user") from None
    if user.pw_uid == 0:
        raise ConfigurationError("RENDER_USER must not be root: name a user without rights")
    return user


def _drop(user: pwd.struct_passwd | None) -> tuple[str, ...]:
    if user is None:
        return ("setpriv", "--no-new-privs")
    owner = (f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")
    return ("setpriv", *owner, "--no-new-privs")


def _candidates(drop: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Ways to start the browser, the strictest first; the last one always works."""
    for closed in (_CLOSED, ("--net",)):
        yield (*_BOUND, "unshare", *closed, "--", *drop), NETWORK_NAMESPACE
        yield (
            (*drop, *_BOUND[1:], "unshare", "--user", "--map-current-user", *closed, "--"),
            NETWORK_NAMESPACE,
        )
    yield (*drop, *_BOUND[1:]), RULES_ALONE


@cache
def _works(prefix: tuple[str, ...]) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            [*prefix, "true"], capture_output=True, check=False, timeout=_PROBE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def write_launcher(home: Path, isolation: Isolation, rules: RenderRules) -> Path:
    """Write what is started in place of the browser: the browser, with nothing of the world but a folder."""
    profile = home / "profile"
    profile.mkdir()
    for folder in (home, profile):
        if isolation.uid is not None and isolation.gid is not None:
            os.chown(folder, isolation.uid, isolation.gid)
    launcher = home / "launch"
    clean = f"env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TZ=UTC HOME={home} TMPDIR={home}"
    # Between two looks at its memory, no process of it can take more than this. Closer to the limit, a page
    # that takes too much would only see its requests for memory fail, and not be named.
    bound = f"prlimit --data={2 * rules.memory_mb << 20}"
    # The last of two equal switches holds: this profile is the one that the browser's user may write to.
    command = f'{" ".join(isolation.prefix)} {bound} {clean} {rules.browser} "$@" --user-data-dir={profile}'
    launcher.write_text(f"#!/bin/sh\nexec {command}\n")
    launcher.chmod(0o755)
    return launcher
