"""The forms that a run asks: what each is to be asked next, from what its answers have shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from archiver.acquisition.forms.answers import ALIKE, NonePages, answer_kind, likeness
from archiver.acquisition.forms.behaviour import behaviour_of
from archiver.acquisition.forms.enough import is_enough
from archiver.acquisition.forms.first_probes import first_probes, likeliest, second_probes, trial_probes
from archiver.acquisition.forms.mapping import is_settled, learned_mappings
from archiver.acquisition.forms.mapping_turns import PROBES_OF_INPUT, MappingTurns
from archiver.acquisition.forms.model import BESIDE, Answered, Probe
from archiver.acquisition.forms.probed import as_probed
from archiver.acquisition.forms.prober import Prober
from archiver.acquisition.forms.rules import answer_place, is_further_page, planned, unknown_inputs
from archiver.documents.pages.forms.description import SelectedForm
from archiver.domains import same_owner
from archiver.store.asked_forms.records import values_of
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.forms.answers import AnswerPageRead
    from archiver.acquisition.forms.mapping import InputMapping
    from archiver.acquisition.forms.model import FormBehaviour, FormPlan, ProbedInput
    from archiver.documents.pages.forms.description import FormDescription
    from archiver.documents.pages.forms.finding import PageForms
    from archiver.records.model import RecordWrapper
    from archiver.store.asked_forms.forms import AskedForm
    from archiver.store.asked_forms.probes import MadeProbe

# Words of the page and of options that are asked before records are known.
_FIRST_WORDS = 4
# So many more are asked where nothing was learned from those.
_MORE_WORDS = 8
_LEAST_ANSWERS = 3
_CANARY_EVERY = 50
_LONG = 4
# Of the budget, for which input filters which attribute; more where it is so small that this is too little
# for all inputs.
_MAPPING_SHARE, _MOST_MAPPING = 0.05, 0.25
# Probes whose answer is no single record.
_OF_NO_RECORD = frozenset({"nonsense", "empty"})


class FormInquiry:
    """One form of a run."""

    # The text of a field wrapper by which answers are read, where a person wrote one.
    design = ""

    def __init__(self, form: AskedForm, said: FormDescription, trial: int = 0) -> None:
        self.form = form
        self.said = said
        self.trial = trial  # so many probes show what the form does; 0: it is asked in earnest
        self.plan: FormPlan | None = form.planned
        self.wrapper: RecordWrapper | None = None
        self.wrapper_name = ""
        self.prober: Prober | None = None
        self.nones = NonePages()
        self.answers: list[Answered] = []
        self.records = 0  # that were seen, where answers are read by a field wrapper
        self.mappings: list[InputMapping] = []
        self.is_over = False
        self.why = ""
        self.asked = 0
        self.refusals = form.refusals
        self.outside_words: dict[str, str] = {}  # word → where it comes from
        self.details: list[str] | None = None  # pages of records to learn from; None: not needed so far
        # Whether records' own pages are fetched, and the last record of which that was done.
        self.follows = said.detail.follow and not trial
        self.followed = ""
        # Answers on which the wrapper finds nothing, though they list something.
        self.outdated: list[MadeProbe] = []
        self.relearns = True
        self._first: list[Probe] | None = None
        self._second: list[Probe] | None = None
        self._turns: MappingTurns | None = None
        self._recent: list[int] = []
        self._canaries = 0
        self.words: dict[str, str] = {}
        self.suggestions: list[Probe] = []  # asked for before the form is
        self._places: set[str] = set()  # where answers are, if not where the form leads

    def begin(self, plan: FormPlan, words: dict[str, str]) -> None:
        """The form's page was read: it can be asked."""
        self.plan = plan
        self.words = words
        self.prober = Prober(plan.inputs, seed=self.form.run, pages_a_query=self.said.budget.pages_a_query)
        for word, source in words.items():
            self.prober.offer([word], source)

    def offer(self, words: Sequence[str], source: str) -> None:
        """Take more words to ask for; those that are known stay where they are from."""
        assert self.prober is not None  # noqa: S101 - it has begun
        fresh = [word for word in words if word not in self.words]
        self.words |= dict.fromkeys(fresh, source)
        self.prober.offer(fresh, source)

    def planned(self, found: PageForms, number: int, *, allows_post: bool) -> FormPlan:
        """What can be asked of the form of a page; ConfigurationError where it must not be asked."""
        return planned(found, self._chosen(number), allows_post=allows_post)

    def unknown_inputs(self, found: PageForms, number: int) -> list[str]:
        """Inputs of the form's file that the form of a page does not have."""
        return unknown_inputs(found, self._chosen(number))

    def _chosen(self, number: int) -> FormDescription:
        """The form's file with the form that its expression leads to."""
        said = self.said
        return structs.replace(said, select=SelectedForm(number=number)) if said.select.path else said

    @property
    def can_read(self) -> bool:
        """True once it is known where records stand on answers."""
        return self.wrapper is not None or bool(self.design)

    @property
    def known_wrapper(self) -> RecordWrapper:
        assert self.wrapper is not None  # noqa: S101 - the caller looked
        return self.wrapper

    @property
    def knows_details(self) -> bool:
        """True once it is known what records' own pages say."""
        return bool(self.design) or (self.wrapper is not None and bool(self.wrapper.detail_columns))

    def may_follow(self, url: str, words: Sequence[str]) -> bool:
        """True for an address of the same search: nothing else is followed."""
        if self.plan is None or is_further_page(self.plan, url):
            return True
        # A word may stand there that was not asked for: `results`.
        places = {answer_place(url, words), answer_place(url, ())}
        return same_owner(self.plan.action, url) and not places.isdisjoint(self._places)

    def note_place(self, made: MadeProbe) -> None:
        """Note where a redirect leads that cannot be to the one record that was found."""
        if made.answered_by and made.probe.chosen_by in _OF_NO_RECORD:
            self._places.add(answer_place(made.answered_by, made.probe.words))

    # What to ask

    def next_probe(self) -> Probe | None:
        if self.plan is None or self.prober is None:
            return Probe(chosen_by="page", url=self.said.page)
        if self._first is None:
            self._first = self._first_probes()
        if self._first:
            return self._first.pop(0)
        if self.wrapper is None or self.trial:
            return None  # learning comes first
        if self.details:
            return Probe(chosen_by="detail", url=self.details.pop(0))
        if self._second is None:
            self._second = second_probes(self.prober.text, self._two_words()) if self.prober.text else []
        if self._second:
            return self._second.pop(0)
        return self._later_probe()

    def _later_probe(self) -> Probe | None:
        """What finds records; what shows mappings when that is over, or the budget nearly spent."""
        if self._turns is not None or self.said.budget.requests - self.asked <= self._reserved:
            return self._mapping_probe() or self._probe()
        return self._probe() or self._mapping_probe()

    def _two_words(self) -> list[str]:
        """Two words of one record, each of which may find others."""
        assert self.prober is not None  # noqa: S101 - as `next_probe` has it
        having, asked = (
            self.prober.ledger.having,
            {word for probe in self._asked_first for word in probe.words},
        )
        for record in self.prober.ledger.records.values():
            words = sorted(word for word in record.words if word.isalpha() and len(word) > _LONG)
            common = [word for word in words if len(having[word]) > 1 and word not in asked]
            if len(common) > 1:
                return common[:2]
        return []

    def _first_probes(self) -> list[Probe]:
        assert self.prober is not None  # noqa: S101 - as `next_probe` has it
        assert self.plan is not None  # noqa: S101 - as above
        text, words = self.prober.text, likeliest(self.words)
        if self.trial:
            return trial_probes(text, self.form.name, words, self.plan.inputs)[: self.trial]
        return first_probes(text, self.form.name, words[:_FIRST_WORDS], self.plan.inputs)

    def more_words(self) -> bool:
        """Ask more words where nothing was learned so far; False where enough were asked."""
        assert self.prober is not None  # noqa: S101 - it has begun
        text = self.prober.text
        asked = {one for probe in self._asked_first for one in probe.words}
        more = [word for word in likeliest(self.words) if word not in asked][:_FIRST_WORDS]
        if not text or not more or len(asked) > _FIRST_WORDS + _MORE_WORDS:
            return False
        self._first = [Probe(inputs={text: word}, chosen_by="word") for word in more]
        return True

    def ask_first(self, probes: Sequence[Probe]) -> bool:
        """Make these probes before records are read; False where all of them were made."""
        asked = {one.key for one in self._asked_first}
        self._first = [one for one in probes if one.key not in asked][: self._reserved]
        return bool(self._first)

    _asked_first: tuple[Probe, ...] = ()

    def note_first(self, probe: Probe) -> None:
        self._asked_first = (*self._asked_first, probe)

    @property
    def is_ready(self) -> bool:
        """True once the first probes were made: records can be learned from their answers."""
        return self._first is not None and not self._first and self.wrapper is None and not self.trial

    def _probe(self) -> Probe | None:
        assert self.prober is not None  # noqa: S101 - it has begun
        if is_enough(self.prober.coverage, self._recent):
            return self.prober.last_page()
        self._canaries += 1
        if self._canaries >= _CANARY_EVERY and (canary := self._canary()) is not None:
            self._canaries = 0
            return canary
        return self.prober.next() or self.prober.last_page()

    def _canary(self) -> Probe | None:
        """A query that found something, once more: an answer that is empty now is a ban that is not told."""
        number = self.asked
        for one in self.answers:
            if one.kind == "results" and one.probe.page == 1 and one.probe.inputs and len(one.records) > 1:
                return Probe(inputs=one.probe.inputs, chosen_by="canary", number=number)
        return None

    @property
    def _reserved(self) -> int:
        """Requests that are left for mappings."""
        inputs, budget = len(self.plan.inputs) if self.plan is not None else 0, self.said.budget.requests
        least = min(_MOST_MAPPING * budget, PROBES_OF_INPUT * inputs)
        return int(max(_MAPPING_SHARE * budget, least))

    def _mapping_probe(self) -> Probe | None:
        """Inputs of which nothing is known yet, asked by themselves."""
        assert self.prober is not None  # noqa: S101 - it has begun
        assert self.plan is not None  # noqa: S101 - it has begun
        records = self.prober.ledger.records
        if self._turns is None:
            self._turns = MappingTurns(
                self.plan.inputs, dict(records), self.form.run, self._reserved, self._excerpts
            )
        return self._turns.next(
            self.answers, lambda field: is_settled(field, self._mapped([field]), self.answers)
        )

    def learn_mappings(self) -> None:
        if self.plan is not None and self.prober is not None:
            self.mappings = self._mapped(self.plan.inputs)

    def _mapped(self, inputs: Sequence[ProbedInput]) -> list[InputMapping]:
        assert self.prober is not None  # noqa: S101 - it has begun
        return learned_mappings(inputs, self.answers, self.prober.ledger.records, self._excerpts)

    @property
    def _excerpts(self) -> frozenset[str]:
        """Attributes that depend on what was asked for."""
        columns = self.wrapper.columns if self.wrapper is not None else ()
        return frozenset(one.name for one in columns if one.is_excerpt)

    # What came

    def is_outdated(self, probe: Probe, read: AnswerPageRead) -> bool:
        """True for an answer that lists what the wrapper does not find, and does not look like none."""
        if not (read.is_outdated and self.relearns) or probe.chosen_by == "nonsense":
            return False
        says_none = read.says_none or read.total == 0
        return not says_none and not any(likeness(read.shape, one) >= ALIKE for one in self.nones.shapes)

    def wait_for_wrapper(self, made: MadeProbe) -> None:
        """An answer is read later; until then it counts as one without records, and is not asked again."""
        self.outdated.append(made)
        if made.probe.chosen_by != "canary":
            self.take(Answered(probe=made.probe, kind="error"))
            del self.answers[-1]

    def judged(self, probe: Probe, read: AnswerPageRead) -> Answered:
        """What an answer says, before it is taken."""
        others = [
            frozenset(record.key for record in one.records)
            for one in self.answers
            if one.probe.page == 1 and one.probe.query != probe.query and one.probe.chosen_by != "canary"
        ]
        is_first = probe.page == 1 and probe.chosen_by not in {"canary", "nonsense"}
        kind = answer_kind(read, self.nones, others if is_first and len(self.answers) < 40 else ())
        records = tuple(as_probed(record.key, values_of(record)) for record in read.records)
        shown = records if kind in {"results", "same"} else ()
        return Answered(probe=probe, kind=kind, records=shown, total=read.total, next_url=read.next_url)

    def take(self, answered: Answered, read: AnswerPageRead | None = None) -> int:
        """Note an answer; how many of its records are new."""
        assert self.prober is not None  # noqa: S101 - it has begun
        if answered.probe.chosen_by == "nonsense" and read is not None:
            self._note_none(read)
        self.answers.append(answered)
        if answered.probe.chosen_by == "canary":
            if answered.kind != "results":
                self.stop("A query that found records finds none any more: the site may have banned us")
            return 0
        fresh = self.prober.take(answered)
        self._recent.append(fresh)
        if answered.probe.chosen_by == "nonsense" and answered.kind == "results":
            self.prober.words_work = False
        return fresh

    def _note_none(self, read: AnswerPageRead) -> None:
        keys = frozenset(record.key for record in read.records)
        self.nones = NonePages(
            shapes=(*self.nones.shapes, read.shape),
            keys=(*self.nones.keys, keys) if keys else self.nones.keys,
            echoes=self.nones.echoes or read.echoes,
        )

    def take_failure(self, probe: Probe) -> None:
        """A probe without an answer: its query is not asked again in this run."""
        if self.prober is not None and probe.chosen_by not in BESIDE | {"canary"}:
            self.take(Answered(probe=probe, kind="error"))

    def dead_end(self, probe: Probe) -> None:
        """The next page leads elsewhere: the answer ends here."""
        if self.prober is not None and probe.query in self.prober.ledger.queries:
            self.prober.ledger.queries[probe.query].next_url = ""

    def note_behaviour(self) -> None:
        if self.prober is not None:
            found = self.behaviour()
            self.prober.operator = found.operator
            self.prober.words_work = not found.invents

    @property
    def host(self) -> str:
        return host_of(self.plan.action if self.plan is not None else self.said.page)

    def stop(self, why: str) -> None:
        self.learn_mappings()
        self.is_over, self.why = True, why

    def behaviour(self) -> FormBehaviour:
        return behaviour_of(self.answers)
