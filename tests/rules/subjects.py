"""The games of the house for the property tests."""

from tests.rules.conker_subject import CONKER_SUBJECT
from tests.rules.conquian_subject import CONQUIAN_SUBJECT
from tests.rules.konken_subject import KONKEN_SUBJECT
from tests.rules.play import Subject

SUBJECTS: dict[str, Subject] = {
    "konken": KONKEN_SUBJECT,
    "conker": CONKER_SUBJECT,
    "conquian": CONQUIAN_SUBJECT,
}
