"""Decides which files may be loaded as code: those that only the user and the system can change."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

_MOST_LINKS = 40  # the number that Linux follows
_ACCESS_LIST = "system.posix_acl_access"


class UntrustedFile(PermissionError):
    """A file that another user can change; the text says which part of its path, and who."""


def require_trusted(path: Path) -> None:
    """Raises UntrustedFile unless only the user, root and the owner of / can change `path`.

    path: absolute; a file or a folder. Every folder and every link on the way must belong to one of
    these users and must not be writable by others, except that folders before the last one may be
    writable if they are sticky like /tmp. A folder that is writable by the user's private group,
    which has no other members, is accepted. Raises OSError if the path cannot be followed.
    """
    owners = {os.geteuid(), 0, Path("/").lstat().st_uid}
    steps = list(_steps(path))
    last_folder = max(i for i, (_, status) in enumerate(steps) if stat.S_ISDIR(status.st_mode))
    for number, (place, status) in enumerate(steps):
        if status.st_uid not in owners:
            raise UntrustedFile(
                f"{place} belongs to {_user_name(status.st_uid)}, not to {_user_name(os.geteuid())}"
                " or root"
            )
        if stat.S_ISLNK(status.st_mode):
            continue  # a link's own permissions have no effect
        if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX and number < last_folder:
            continue  # in a sticky folder others cannot replace entries
        writers = _other_writers(place, status)
        if writers:
            mode = stat.S_IMODE(status.st_mode)
            raise UntrustedFile(f"{place} can be written by {writers} (its mode is {mode:04o})")


def _steps(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Everything that the system visits on the way, in order: folders, links, and their targets."""
    place = Path("/")
    yield place, place.lstat()
    ahead = list(reversed(path.parts[1:]))
    links = 0
    while ahead:
        part = ahead.pop()
        if part == "..":
            place = place.parent
            continue
        status = (place / part).lstat()
        yield place / part, status
        if not stat.S_ISLNK(status.st_mode):
            place = place / part
            continue
        links += 1
        if links > _MOST_LINKS:
            raise OSError(f"{path} has more than {_MOST_LINKS} links")
        target = Path(os.readlink(place / part))
        if target.is_absolute():
            place = Path("/")
        ahead.extend(reversed(target.parts[target.is_absolute() :]))


def _other_writers(place: Path, status: os.stat_result) -> str:
    """Who besides the owner can write there, in words; empty if no one can."""
    if status.st_mode & stat.S_IWOTH:
        return "everybody"
    if status.st_mode & stat.S_IWGRP:
        if _has_access_list(place):
            return "users named in its access list"
        if not _is_private_group(status.st_gid):
            return f"the group {_group_name(status.st_gid)}"
    return ""


def _has_access_list(place: Path) -> bool:
    try:
        return _ACCESS_LIST in os.listxattr(place)
    except OSError:  # a file system without access lists
        return False


def _is_private_group(group: int) -> bool:
    """Whether this is a private group, whose only member is the user."""
    try:
        user = pwd.getpwuid(os.geteuid())
        members = set(grp.getgrgid(group).gr_mem)
    except KeyError:
        return False
    members.update(entry.pw_name for entry in pwd.getpwall() if entry.pw_gid == group)
    return user.pw_gid == group and members == {user.pw_name}


def _user_name(number: int) -> str:
    try:
        return f"user {number} ({pwd.getpwuid(number).pw_name})"
    except KeyError:
        return f"user {number}"


def _group_name(number: int) -> str:
    try:
        return f"{number} ({grp.getgrgid(number).gr_name})"
    except KeyError:
        return str(number)
