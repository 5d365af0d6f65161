"""The program `archiver` as a newcomer meets it, and how every command fails."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from archiver import __version__
from archiver.command_line.listing import COMMANDS, help_lines, scrapys_commands
from archiver.command_line.program import split_command
from tests.command_line.running import ARCHIVER, SCRAPY, STRANGER, URL, is_a_sentence, needs_a_stranger, run
from tests.crawl.running import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can reach: those of pytest are closed to all but one."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_the_version_and_the_list_of_commands(tmp_path: Path) -> None:
    assert run(tmp_path, "--version").stdout == f"archiver {__version__}\n"
    listed = run(tmp_path, "--help")
    assert listed.returncode == 0
    names = [
        line.split()[0] for line in listed.stdout.splitlines() if line.startswith("  ") and line[2] != " "
    ]
    assert names[: len(COMMANDS)] == list(COMMANDS)
    assert listed.stdout.index("wrappers") < listed.stdout.index("Commands of Scrapy")
    assert max(map(len, listed.stdout.splitlines())) < 80
    assert "genspider" in scrapys_commands()
    assert not set(scrapys_commands()) & set(COMMANDS)


def test_scrapy_lists_the_same_and_names_the_right_command() -> None:
    root = Path(__file__).parents[2]
    assert run(root, program=SCRAPY).stdout.splitlines() == list(help_lines("scrapy"))
    wrong = run(root, "chanels", program=SCRAPY)
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "scrapy: chanels is not a command: did you mean channels?\n",
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chanels"], "chanels is not a command: did you mean channels?"),
        ([URL], f"did you mean `archiver crawl {URL}`?"),
        (["verify", "--quik"], "--quik is not an option: did you mean --quick?"),
        (["crawl", "--seeds=x"], "--seeds=x is not an option: did you mean -a seeds=…?"),
        (["crawl", "-a", "sedes=x"], "Unknown -a sedes: did you mean seeds?"),
        (["crawl", "example.org/feed"], "if it is a web address, write https://example.org/feed"),
        (["channels", "-s", "POLL_BUDGETT=1"], "did you mean POLL_BUDGET?"),
        # One of Scrapy's.
        (["list", "-s", "POLL_BUDGETT=1"], "did you mean POLL_BUDGET?"),
        (["--profile", "corn", "channels"], "corn is not a profile: did you mean cron?"),
        (["settings", "--get", "CONTCT"], "did you mean CONTACT?"),
        (["crawl", "-o", "x.json"], "-o and -O would write nothing: articles are in ARCHIVE_DIR/objects"),
        (["crawl", "--ouput", "x"], "--ouput is not an option: --help lists them"),
        (["channels", "show"], "show takes numbers or URLs of `archiver channels`"),
        (["channels", "history"], "history takes numbers or URLs of `archiver channels`"),
        (["settings", "--get", "ZEBRA"], "ZEBRA is not a setting: `archiver settings` lists them"),
        (["channels", "-s", "STATE_URL=nonsense"], "STATE_URL='nonsense' cannot be used"),
        (["channels", "-s", "EXTA=1"], "did you mean [extra]?"),
        (["-v"], "-v is not an option: `archiver --help` lists them"),
        (["verify", "-L", "loud"], "LOG_LEVEL='loud' is not known"),
        (["verify", "--logfile", "no/such/log"], "there is no such folder"),
        (["verify", "--config", "none.toml"], "none.toml cannot be read"),
    ],
)
def test_what_is_typed_wrongly_gets_the_right_word_named(tmp_path: Path, words: list[str], told: str) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert is_a_sentence(done)


def test_what_to_type_next_is_named_as_it_was_typed(tmp_path: Path) -> None:
    assert run(tmp_path, "channels", "add", URL, "--every", "2h").returncode == 0
    (tmp_path / "archive" / "warc").mkdir()
    (tmp_path / "archive" / "warc" / "left.warc.gz").touch()
    done = run(tmp_path, "verify")
    assert "it is in no index: the next `archiver crawl` adds it" in done.stdout
    assert "1 WARC file, 0 records" in done.stdout
    shown = run(tmp_path, "channels", "show", "1").stdout
    assert "Named by   you, by hand" in shown
    assert "Interval   2h, set by hand" in shown
    assert "scrapy" not in done.stdout + shown
    unknown = run(tmp_path, "channels", "pause", "Site")
    assert "No channel is called Site: `archiver channels` lists them" in unknown.stderr


def test_all_settings_are_listed_with_what_was_changed(tmp_path: Path) -> None:
    listed = run(tmp_path, "settings", "-s", "POLL_BUDGET=6", "-s", "STATE_URL=postgresql://me:secret@h/d")
    lines = listed.stdout.splitlines()
    assert "  DOWNLOAD_DELAY = 1" in [line.partition("  #")[0] for line in lines]
    assert any(line.startswith("* POLL_BUDGET = 6  # polls for each channel") for line in lines)
    assert "secret" not in listed.stdout
    assert len(lines) > 50
    changed = [line.split()[1] for line in lines if line.startswith("*")]
    assert changed == ["STATE_URL", "POLL_BUDGET"]
    # Any line can be copied into a settings file.
    assert [name for name, value in tomllib.loads(listed.stdout.replace("*", " ")).items() if value == "none"]
    assert "relative to the file that names it" in next(line for line in lines if "ARCHIVE_DIR =" in line)


def test_below_a_project_of_scrapy_the_archive_is_in_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n")
    here = tmp_path / "here"
    here.mkdir()
    assert run(here, "channels", "add", URL).returncode == 0
    assert (here / "archive" / "state.sqlite").exists()


@pytest.mark.parametrize(
    ("words", "variables"), [(["--profile", "cron"], {}), ([], {"SCRAPY_PROJECT": "cron"})]
)
def test_a_profile_is_chosen_by_option_or_variable(
    tmp_path: Path, words: list[str], variables: dict[str, str]
) -> None:
    assert run(tmp_path, "settings", "--get", "SUMMARY").stdout == "True\n"
    assert run(tmp_path, "settings", *words, "--get", "SUMMARY", **variables).stdout == "False\n"


@pytest.mark.parametrize(
    ("stream", "words"), [("stdout", ["verify", "bad.warc.gz"]), ("stderr", ["channels", "pause", "7"])]
)
def test_a_failure_is_the_exit_code_also_where_nothing_reads_of_it(
    tmp_path: Path, stream: str, words: list[str]
) -> None:
    (tmp_path / "bad.warc.gz").write_bytes(b"WARC/1.0\r\n")
    assert run(tmp_path, "channels", "add", URL).returncode == 0
    reader, writer = os.pipe()
    os.close(reader)
    stdout, stderr = (writer if one == stream else subprocess.DEVNULL for one in ("stdout", "stderr"))
    done = subprocess.run([*ARCHIVER, *words], cwd=tmp_path, check=False, stdout=stdout, stderr=stderr)
    os.close(writer)
    assert done.returncode == 1


def test_the_list_of_commands_fits_a_narrow_window(tmp_path: Path) -> None:
    listed = run(tmp_path, "--help", COLUMNS="40").stdout
    assert max(map(len, listed.splitlines())) <= 40
    assert "\n  history " in listed


@pytest.mark.parametrize("program", [ARCHIVER, SCRAPY])
def test_usage_and_what_is_wrong_are_broken_between_words(tmp_path: Path, program: list[str]) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = archiver.profiles.default\n", "utf-8")
    told = run(tmp_path, "sparql", "--limit", "few", program=program, COLUMNS="40").stderr
    assert max(map(len, told.splitlines())) <= 40
    assert "invalid int value: 'few'" in " ".join(told.split())
    wrong = run(tmp_path, "sparql", "-s", "NO_SUCH=1", program=program, COLUMNS="40").stderr
    assert max(map(len, wrong.splitlines())) <= 40
    assert "NO_SUCH is not a setting" in " ".join(wrong.split())


def test_a_command_of_scrapy_in_a_wrong_folder_says_what_works_there(tmp_path: Path) -> None:
    done = run(tmp_path, "channels", program=SCRAPY)
    assert done.returncode == 2
    assert "There is no scrapy.cfg here" in done.stderr
    assert "`archiver channels`, which works anywhere" in done.stderr


def test_the_words_of_a_command_are_found_among_its_options() -> None:
    assert split_command(["--config", "x", "-s", "A=1", "crawl", "feeds"]) == (
        "crawl",
        ["--config", "x", "-s", "A=1", "feeds"],
    )
    assert split_command(["--help"]) == (None, ["--help"])


def test_init_writes_what_a_crawl_needs_and_never_over_a_file(tmp_path: Path) -> None:
    done = run(tmp_path, "init", "mine")
    assert done.returncode == 0
    assert "archiver crawl seeds.txt" in done.stdout
    (tmp_path / "mine" / "seeds.txt").write_text("kept")
    again = run(tmp_path, "init", "mine")
    assert again.returncode == 0
    assert "seeds.txt is there already" in again.stdout
    assert (tmp_path / "mine" / "seeds.txt").read_text() == "kept"
    assert run(tmp_path / "mine", "settings", "--get", "ARCHIVE_DIR").stdout.strip() == str(
        tmp_path / "mine" / "archive"
    )


def test_an_archive_that_channels_add_begins_is_for_the_owner_and_the_group_alone(tmp_path: Path) -> None:
    """Its state store has the passwords of its feeds."""
    open_to_all = ["sh", "-c", 'umask 000; exec "$@"', "sh", *ARCHIVER]
    done = run(tmp_path, "channels", "add", URL, program=open_to_all)
    assert done.returncode == 0, done
    archive = tmp_path / "archive"
    modes = {path.name: path.stat().st_mode & 0o777 for path in (archive, *archive.iterdir())}
    assert modes == {"archive": 0o750, "state.sqlite": 0o640}


# Of some commands tests/command_line/test_sentences.py holds it, in seconds.
@pytest.mark.zoo
@needs_a_stranger
def test_what_may_not_be_read_or_written_is_told(open_folder: Path) -> None:
    tmp_path = open_folder
    added = run(tmp_path, "channels", "add", URL, ARCHIVER_ARCHIVE_UMASK="022")
    assert added.returncode == 0
    stranger = [*STRANGER, *ARCHIVER]
    listed = run(tmp_path, "channels", program=stranger)
    assert (listed.returncode, URL.removeprefix("http://") in listed.stdout) == (0, True), listed
    for words in (["channels", "add", URL], ["crawl", URL, "--nolog"], ["init"]):
        done = run(tmp_path, *words, program=stranger)
        assert (done.returncode, is_a_sentence(done)) == (1, True), done
    (tmp_path / "archive").chmod(0o700)
    for words in (["channels"], ["verify"]):
        done = run(tmp_path, *words, program=stranger)
        assert (done.returncode, is_a_sentence(done)) == (1, True), done
        assert "Permission denied" in done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    for words in (["--help"], ["settings", "--get", "EXTENSIONS"]):
        with subprocess.Popen(
            [*ARCHIVER, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            told = process.stderr.read()
        assert (process.returncode, told) == (0, b"")


@pytest.mark.parametrize(
    ("program", "encoding"), [(ARCHIVER, "latin-1"), (ARCHIVER, "ascii"), (SCRAPY, "ascii")]
)
def test_output_that_is_not_utf_8_says_what_it_can(tmp_path: Path, program: list[str], encoding: str) -> None:
    folder = ROOT if program == SCRAPY else tmp_path
    done = run(folder, "crawl", "--help", program=program, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert "[FILE...] [URL...]" in done.stdout
    # Also what went wrong.
    done = run(
        folder,
        "channels",
        "show",
        "http://ex\u00e4mple.org/\u20ac",
        "-s",
        f"ARCHIVE_DIR={tmp_path}/\u20ac",
        program=program,
        PYTHONIOENCODING=encoding,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done
    assert "\\u20ac" in done.stderr


def test_a_program_that_is_interrupted_before_it_begins_says_so(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    os.mkfifo(settings)
    command = [*ARCHIVER, "crawl", URL, "--config", str(settings)]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        file = _opened_by_reader(settings, process)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
        os.close(file)
    assert (process.returncode, told) == (130, "archiver: interrupted before it had begun\n")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


INTERRUPTING = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except BaseException:
                pass  # as some modules do while they are loaded

sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.parametrize(
    ("program", "module"), [(ARCHIVER, "scrapy.settings"), (SCRAPY, "archiver.commands.sparql")]
)
def test_an_interrupt_is_not_lost_while_modules_are_loaded(
    tmp_path: Path, program: list[str], module: str
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = archiver.profiles.default\n", "utf-8")
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING.format(module=module), "utf-8")
    done = run(tmp_path, "sparql", program=program, PYTHONPATH=str(tmp_path))
    assert done.returncode == 130
    assert done.stderr.endswith(": interrupted before it had begun\n")
    assert "Traceback" not in done.stderr


def _opened_by_reader(pipe: Path, process: subprocess.Popen[str]) -> int:
    """The end to write to, once the program has opened the other one, and waits."""
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nothing reads it yet
            time.sleep(0.02)
    process.kill()
    raise AssertionError("the settings were not read")
