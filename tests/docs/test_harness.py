"""What follows the documents finds what is untrue in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs import shell
from tests.docs.compare import difference
from tests.docs.following import Step
from tests.docs.markdown import Block, DocumentError, blocks, check
from tests.docs.refresh import refreshed
from tests.docs.shell import Printed

if TYPE_CHECKING:
    from pathlib import Path

SESSION = """\
Text.

<!-- exit code: 1 -->
```console
$ echo one
one
$ printf 'two\\n' |
>   cat; false
two
```
"""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm"}


def read(text: str, folder: Path) -> list[Block]:
    page = folder / "page.md"
    page.write_text(text, "utf-8")
    return blocks(page, "page.md")


def block(language: str, *lines: str, **notes: str) -> Block:
    named = {name.replace("_", " "): value for name, value in notes.items()}
    return Block(document="page.md", line=1, language=language, lines=lines, notes=named)


def step(*, output: tuple[str, ...], printed: tuple[str, ...], exit_code: int = 0) -> Step:
    shown = block("console", "$ command", *output)
    return Step(
        block=shown,
        shown=shown.shown[0],
        printed=Printed(lines=printed, exit_code=exit_code),
        is_last=True,
    )


# ── Blocks ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_session_is_split_into_commands_with_what_they_print(tmp_path: Path) -> None:
    (found,) = read(SESSION, tmp_path)
    assert (found.name, found.notes) == ("page.md:4", {"exit code": "1"})
    assert [(one.command, one.output) for one in found.shown] == [
        ("echo one", ("one",)),
        ("printf 'two\\n' |\n  cat; false", ("two",)),
    ]


def test_each_command_of_a_block_without_output_is_run_by_itself() -> None:
    found = block("sh", "# why", "jq '[.a,", "  .b]' file |", "  sort", "false")
    assert [one.command for one in found.shown] == ["jq '[.a,\n  .b]' file |\n  sort", "false"]


@pytest.mark.parametrize(
    "unexplained",
    [
        block("", "make crawl"),
        block("text", "make crawl"),
        block("sh", "make crawl", shown_only=""),
        block("sh", "make crawl", shwon_only="it takes long"),
    ],
)
def test_a_block_is_run_or_explained(unexplained: Block) -> None:
    with pytest.raises(DocumentError, match=r"page\.md:1"):
        check(unexplained)


def test_a_block_with_a_reason_is_only_shown() -> None:
    check(block("ini", "[Unit]", shown_only="it needs systemd"))


# ── The shell ────────────────────────────────────────────────────────────────────────────────────────────


def test_commands_share_a_shell_at_a_terminal_of_80_columns(tmp_path: Path) -> None:
    commands = [
        "name=value; cd /",
        "echo $name; pwd",
        "test -t 1 && test -t 2 && stty size <&1",
        "exit_with() { return 3; }; exit_with",
    ]
    found = shell.run(commands, tmp_path, ENVIRONMENT)
    assert [(one.lines, one.exit_code) for one in found] == [
        ((), 0),
        (("value", "/"), 0),
        (("24 80",), 0),
        ((), 3),
    ]


def test_what_was_written_over_and_colours_are_not_on_the_screen(tmp_path: Path) -> None:
    (found,) = shell.run([r"printf '10 %%\r\033[K20 %%\r\033[K\033[1mdone\033[0m\n'"], tmp_path, ENVIRONMENT)
    assert found.lines == ("done",)


def test_a_command_that_ends_the_shell_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="after 0 of 2"):
        shell.run(["exit 0", "true"], tmp_path, ENVIRONMENT)


# ── Comparing ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        (
            "WARC  a/archiver-20261116033800654-00001-vm.warc.gz",
            "WARC  a/archiver-20270101000000000-00002-b.c.warc.gz",
        ),
        ("run-20261116T033800068640Z.json", "run-20270116T033800068641Z.json"),
        ("Received   283 kB, kept in 302 kB", "Received   1.2 MB, kept in 9 B"),
        ("next poll 2026-11-16T04:38:06Z (every 2 h)", "next poll 2027-01-02T03:04:05Z (every 2 h)"),
        ("2026-11-16 14:18:51  text", "2026-12-24 00:00:00 text"),
        ("polled 3 minutes ago, in 2 hours", "polled 1 hour ago, in 40 minutes"),
        ("1  The Tarn Valley Cou…  ok", "1  The Tarn Valley Co…   ok"),
        ('"offset": 12,', '"offset": 345,'),
        ('"title": …', '"title": "anything"'),
    ],
)
def test_what_differs_from_run_to_run_is_not_compared(shown: str, printed: str) -> None:
    assert difference([shown], [printed]) == ""


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("Entries    87 new, 0 changed", "Entries    86 new, 0 changed"),
        (
            "archive/index/archiver-20261116033800654-00001-vm.warc.gz.cdxj",
            "archive/index/archiver-20261116033800654-00001-vm.cdxj",
        ),
        ("published  2026-02-28 21:28:00", "published  2026-02-28 21:29:00"),
        ("next poll 2026-11-16T04:38:06Z (every 2 h)", "next poll 2026-11-16T04:38:06Z (every 3 h)"),
    ],
)
def test_everything_else_is_compared(shown: str, printed: str) -> None:
    assert difference([shown], [printed]) != ""


def test_a_line_that_is_left_out_stands_for_any_number_of_lines() -> None:
    assert difference(["a", "…", "d"], ["a", "b", "c", "d"]) == ""
    assert difference(["a", "…"], ["a"]) == ""
    assert difference(["a", "…", "d"], ["a", "b", "c"]) != ""


def test_lines_in_any_order_are_compared_where_the_document_says_so() -> None:
    assert difference(["a", "b"], ["b", "a"]) != ""
    assert difference(["a", "b"], ["b", "a"], any_order=True) == ""
    assert difference(["a", "b"], ["b"], any_order=True) != ""


def test_a_step_has_a_problem_where_output_or_exit_code_is_another() -> None:
    assert step(output=("a",), printed=("a",)).problem == ""
    assert "+b" in step(output=("a",), printed=("b",)).problem
    assert "exit code 1, not 0" in step(output=("a",), printed=("a",), exit_code=1).problem
    assert "+b" in step(output=(), printed=("b",)).problem


def test_a_comment_says_which_exit_code_the_last_command_has(tmp_path: Path) -> None:
    (found,) = read(SESSION, tmp_path)
    first, last = found.shown
    printed = Printed(lines=last.output or (), exit_code=1)
    assert Step(block=found, shown=last, printed=printed, is_last=True).problem == ""
    assert "exit code 1" in Step(block=found, shown=first, printed=printed, is_last=False).problem


def test_refreshing_keeps_what_is_left_out() -> None:
    assert refreshed(["a", "…", "d"], ["1", "2", "3", "4"]) == ["1", "…", "4"]
    assert refreshed(["a", "…"], ["1", "2", "3"]) == ["1", "…"]
    assert refreshed(["a"], ["1", "2"]) == ["1", "2"]
