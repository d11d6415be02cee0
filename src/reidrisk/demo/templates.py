"""Sentence templates of synthetic notes, with slots for identifiers.

A line is `section kinds: sentence`. Kinds are s(ocial work), h(istory and physical), p(rogress) and
d(ischarge). An asterisk after the kinds means that the sentence may be used again, because its medical slots
change. A slot `{part}` or `{part:form}` is an identifier; `{part.fact}` and words such as `{he}` are not.

A line with alternatives is `section kinds @group: sentence // alternative // alternative`. A note uses only
one sentence of each @group, and only one alternative, so that nobody is a smoker in one sentence and never
smoked in the next. Sentences of @open come first in their section.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.medicine import Illness
from reidrisk.demo.plan import DISCHARGE, HISTORY, PROGRESS, SOCIAL_WORK

TOPICS = """
reason s @open: {He} asked for advice about {need}. // The unit asks for support with {need}.
reason h @open: {complaint_cap}.
reason d @open: {complaint_cap}, with a diagnosis of {disease}.
history s @open: The patient is {a_man} in hospital with {disease}.
history s: {He} has a history of {background}. // Background: {background}.
history s: {He} was alert and gave clear answers. // {He} was tired but willing to talk.
history s: {He} finds the hospital noisy and sleeps poorly. // {He} says the stay has gone well.
history s: {His} main wish is to be home again. // {He} hopes to avoid a nursing facility.
history s: {He} fears being a burden. // {He} is worried about the cost of the stay.
history s: Hearing is reduced on one side. // Vision is good with glasses. // {He} hears and sees well.
history s: {He} knows why {he} is in hospital. // {He} has many questions about the illness.
history h @open: The patient is {a_man} with {background}.
history p @open: The patient is {a_man} treated for {disease}.
reason p @open: Admitted with {complaint}. // In hospital for {disease}; came in with {complaint}.
reason p: The stay has been without complications so far. // {He} is improving as expected.
history p: Pain is rated {pain} out of 10 at rest. // Pain is well controlled with oral medicine.
history p: {He} had a bowel movement this morning. // No nausea, no vomiting.
history p: No chest pain and no dyspnea at rest overnight. // Breathing is comfortable on room air.
history d @open: The patient is {a_man} with {background}.
review h: General: no weight loss, appetite fair. // General: tired for some weeks, no night sweats.
review h: Eyes and ears: no recent change. // Eyes: wears reading glasses. Ears: no change in hearing.
review h: Joints: mild morning stiffness. // Joints: no swelling.
review h: Mood: steady. // Mood: low at times, without thoughts of self-harm.
review h: All other systems were reviewed and are negative.
past h: {background_cap}. // Known for {background}.
past h: Appendectomy in childhood. // No earlier operations. // Cataract surgery on both eyes.
past h: No known drug allergies. // Penicillin causes a rash. // Sulfa drugs cause hives.
past h: No earlier transfusions. // No earlier problem with anesthesia.
social shd: {He} never smoked. // {He} stopped smoking many years ago. // {He} smokes half a pack a day.
social shd: {He} drinks no alcohol. // {He} has a glass of wine with dinner. // {He} drinks on holidays only.
social shpd: {He} uses a cane outdoors. // {He} walks without aids. // {He} uses a walker indoors.
social sp: The home has stairs and no grab bars. // The home is on one level. // The bedroom is upstairs.
social s: {He} can cook simple meals. // Meals are delivered on weekdays. // {He} eats irregularly.
social s: Income covers rent and food but little else. // {He} has savings and no debts.
social s: {He} no longer drives. // {He} drives short distances by day. // {He} relies on others for rides.
social s: Benefits are in place and are renewed every year. // An application for benefits is pending.
social s: There is no history of violence or neglect at home. // {He} feels safe at home.
social s: {He} takes the medicines from a weekly box. // {He} sometimes forgets the evening medicines.
social s: Faith and music are sources of strength. // {He} misses the company of old friends.
social hd: Family history includes hypertension and diabetes. // Family history is not contributory.
exam hpd: Temperature {temp} C, pulse {pulse}, blood pressure {bp}, respirations {resp}, saturation {sat}%.
exam hpd: {He} lies comfortably in bed. // {He} looks tired but comfortable.
exam hp: Heart: regular, no murmur. // Heart: regular with a soft systolic murmur at the apex.
exam hp: Abdomen: soft, no organomegaly. // Abdomen: soft, no masses.
exam h: Neurologic: awake, follows commands. // Neurologic: follows commands, no tremor.
exam hp: Skin: no pressure injury. // Skin: warm and dry.
exam p: Intake {intake} mL and output {output} mL over the last day.
exam p: Lines: one peripheral cannula, site clean. // Lines: peripheral cannula removed, site dry.
exam p: Weight {weight} kg. // Weight {weight} kg, unchanged from the day before.
exam d: Wounds and line sites are clean. // The skin is intact.
exam d: {He} walks {meters} meters in the corridor. // {He} climbs one flight of stairs.
data hpd: Sodium {na}, potassium {k}, creatinine {cr}, glucose {glucose}.
data hpd: White count {wbc}, hemoglobin {hgb}, platelets {plt}.
data h: Electrocardiogram: sinus rhythm at {pulse}, no acute ischemic change.
data hp: Chest film: no pneumothorax. // Chest film: heart size at the upper limit.
data s: Therapy recommends services at home and help on stairs. // Therapy recommends a short rehab stay.
data s: Chart, therapy notes and nursing notes of this stay.
course s: Supportive counselling was given. // Feelings about the illness were explored.
course s: Written information about services was left at the bedside. // Eligibility for care was checked.
course s: A short screen for depression gave {phq} points. // A screen for caregiver strain was negative.
course s: Ways of coping and sources of support were reviewed at length. // Worries were heard and sorted.
course s: The steps of leaving the hospital were gone through one by one. // A list of next steps was written.
course s: Rights and choice of provider were explained. // A list of providers was offered.
course d: Physical and occupational therapy found {him} safe for home. // Therapy advised short daily walks.
course d: Home medicines were reconciled. // Diet was advanced without trouble.
course d: Skin stayed intact and there were no falls. // {He} needed no restraints and had no falls.
assess s: Strengths: insight, motivation and a stable home. // Strengths: humor, faith and good judgment.
assess s: Barriers: limited strength and few helpers by day. // Barriers: cost of medicine, no transport.
assess s: Coping is adequate for the moment. // Adjustment to the illness is under way.
assess s: Capacity for this decision is present. // No safety concern was found.
assess hp: Nutrition is adequate. // Risk of falls is moderate. // Risk of pressure injury is low.
assess h @open: {disease_cap}.
assess p: No sign of infection at line sites. // No sign of bleeding. // Volume status is acceptable.
history p: {He} sat in the chair for meals and took all medicines. // {He} worked well with therapy.
assess p @open: {disease_cap}, clinically improving. // {disease_cap}, stable since yesterday.
plan s: Visit again within two days. // Stay available for further support.
plan s: Order a shower chair and raised toilet seat. // Arrange a walker before leaving.
plan s: Apply for transport assistance. // Apply for help with the cost of medicine.
plan s: Offer a caregiver support group. // Explore adult day care.
plan hp: Full code. // Code status: full, confirmed on admission.
plan hp: Early mobilization. // Out of bed for meals.
plan p: Repeat blood count and electrolytes in the morning. // Repeat electrolytes in the morning.
plan p: Review the need for each line and drug daily. // Remove the cannula when no longer needed.
plan d: Take the medicines as listed. // Take all medicines until told otherwise.
plan d: Weigh yourself every morning and keep a record. // Walk several times a day and rest in between.
plan p: Continue current diet. // Advance diet as tolerated.
plan p: Expect to leave in two to three days. // Continue physical therapy.
plan d: Return for fever, chest pain or worsening symptoms. // Call for fever, bleeding or new weakness.
plan d: Diet as advised by the dietitian. // Diet as before the admission.
plan d: Activity as tolerated. // No driving until seen in clinic.
sign shpd @signed: Signed electronically.
"""

NUMBERS: dict[str, tuple[float, float, int]] = {
    "kg": (3, 9, 1), "liters": (3, 8, 1), "ef": (25, 60, 0), "cr": (0.7, 1.9, 1), "cr_high": (2.6, 5.2, 1),
    "wbc": (5.1, 10.8, 1), "wbc_high": (12.4, 19.8, 1), "hgb": (8.4, 13.6, 1), "plt": (148, 390, 0),
    "glucose": (88, 176, 0), "glucose_high": (260, 390, 0), "a1c": (6.8, 11.2, 1), "k": (3.5, 4.9, 1),
    "na": (133, 144, 0), "lipase": (620, 2900, 0), "lactate": (2.6, 5.4, 1), "ml": (650, 1400, 0),
    "temp": (36.4, 37.6, 1), "pulse": (62, 98, 0), "resp": (14, 22, 0), "sat": (93, 99, 0),
    "systolic": (108, 156, 0), "diastolic": (58, 90, 0), "pain": (2, 5, 0), "phq": (3, 9, 0),
    "meters": (40, 160, 0), "intake": (1400, 2300, 0), "output": (1200, 2400, 0), "weight": (54, 102, 1),
    "mg": (1.6, 2.4, 1), "albumin": (2.9, 4.2, 1), "co2": (21, 28, 0),
    "bnp": (180, 1400, 0), "tsh": (0.6, 4.2, 1), "inr": (1.0, 2.8, 1),
}  # fmt: skip
"""Lowest value, highest value and decimals."""

LISTS: dict[str, tuple[str, ...]] = {
    "need": (
        "planning for home", "help with meals and bathing", "the cost of medicine",
        "transport to appointments", "coping with illness", "stress in the family",
        "a safe return home", "choosing a rehab unit",
    ),
    "finding": (
        "hemoglobin {hgb} g/dL", "creatinine {cr} mg/dL", "potassium {k} mmol/L", "white count {wbc}",
        "platelets {plt}", "glucose {glucose} mg/dL", "sodium {na} mmol/L", "hemoglobin A1c {a1c}%",
        "natriuretic peptide {bnp} pg/mL", "thyroid stimulating hormone {tsh} mIU/L", "INR {inr}",
        "troponin not raised", "magnesium {mg} mg/dL", "albumin {albumin} g/dL", "bicarbonate {co2} mmol/L",
    ),
    "earlier": (
        "echocardiogram with ejection fraction {ef}%", "stool test negative for blood",
        "creatinine {cr} mg/dL", "iron studies within normal limits",
        "bone density in the osteopenic range", "vitamin D level low",
        "carotid ultrasound without stenosis", "stress test without ischemia", "retinal photographs normal",
        "hemoglobin {hgb} g/dL", "hemoglobin A1c {a1c}%", "thyroid stimulating hormone {tsh} mIU/L",
        "potassium {k} mmol/L", "glucose {glucose} mg/dL", "hearing test with mild loss", "platelets {plt}",
    ),
    "study": (
        "Urine culture", "Blood culture", "Head computed tomography", "Chest film", "Abdominal ultrasound",
        "Venous duplex", "Echocardiogram", "Biopsy", "Sputum culture", "Wound culture",
        "Pelvic film", "Type and screen",
    ),
    "reading": (
        "final report in chart", "report pending", "report reviewed", "preliminary report received",
        "report called to the team", "report discussed on rounds",
    ),
    "record": (
        "Emergency department record", "Physical therapy evaluation", "Home safety checklist", "Consent form",
        "Benefits application", "Nursing admission screen", "Advance directive form", "Equipment order",
        "Occupational therapy report", "Insurance authorization", "Psychology screen", "Care plan",
        "Caregiver questionnaire", "Medication list", "Nutrition assessment", "Transport request",
        "Guardianship inquiry", "Letter from the housing office", "Dental record", "Home oxygen order",
    ),
    "outside": (
        "earlier summary requested", "imaging on disc received", "medication list received",
        "laboratory results in chart", "operative note received", "discharge papers scanned",
    ),
    "topic": (
        "low-salt diet", "use of the call bell", "skin care", "fall prevention", "signs of bleeding",
        "blood pressure checks", "daily weights", "pain medicine schedule", "pacing of activity",
        "when to call for help",
        "safe transfers", "sleep hygiene", "fluid intake", "use of the walker",
    ),
    "issue": (
        "blood pressure", "anemia", "renal function", "pain control", "nutrition", "sleep", "constipation",
        "hydration", "electrolytes", "mobility", "skin integrity", "goals of care",
        "balance",
    ),
    "task": (
        "equipment order", "home oxygen assessment", "transport home", "insurance authorization",
        "therapy evaluation", "meal service", "medication delivery", "personal care hours",
        "caregiver support", "application for benefits", "home safety visit", "nursing supplies",
    ),
    "appointment": (
        "blood test", "weight check", "clinic visit", "echocardiogram", "therapy intake", "eye examination",
        "nurse visit", "hearing test", "repeat film", "dietitian visit", "dental visit", "device check",
    ),
}  # fmt: skip
"""Words for slots; none is used twice in a note while unused ones remain."""


HEADER = """
letterhead shpd: {facility}
header shpd: Patient: {patient:listed}
header shpd: MRN: {mrn}
header shpd: Date of birth: {dob:us}
header shpd: Account number: {account}
header shpd: Encounter: {encounter}
header shpd: Member ID: {member}
header sp: Date of service: {visit}
header hd: Date of admission: {visit}
header d: Date of discharge: {leave}
header shpd @address: Address: {street}, {city}, {state:abbr} {zip}
header shpd @address: Address: {street}, {city}, {state:abbr}
header shpd @address: Address: {street}, {city} {zip}
header shpd @address: Address: {street}, {city}
header shpd @address: Address: {street}
header shpd @address: Residence: {city}, {state:abbr} {zip}
header shpd @address: Residence: {city}, {state:abbr}
header shpd @address: Residence: {city}
header shpd @zip: ZIP code on file: {zip}
header shpd @tel: Telephone: {homephone}
header hpd: Attending: {attending}, MD
header s: Social worker: {worker}, LCSW
header shd: Primary care: {pcp}, MD
header shpd: Next of kin: {kin} ({kin.relation})
sign hp @signed: Electronically signed by {attending}, MD, {visit}
sign d @signed: Electronically signed by {attending}, MD, {leave}
sign hpd @signed: Electronically signed by {attending}, MD
sign s @signed: Electronically signed by {worker}, LCSW, {visit}
sign s @signed: Electronically signed by {worker}, LCSW
sign shp @dictated: Dictated and transcribed {visit}
sign d @dictated: Dictated and transcribed {leave}
sign shd: cc: {pcp}, MD
sign hp: Verified by {nurse}, RN
sign shpd: Document {docid}
sign shpd: Questions about this note: {unitphone}
sign shpd: Fax for outside records: {fax}
sign shpd: End of note, MRN {mrn}
"""

STORY = """
reason s @open: {Mr} {patient:last} was referred by Dr. {attending:last} about {need}.
reason s @open: {patient}, {a_man} with {disease}, was referred about {need}.
reason s: The referral was received on {visit} from {nurse}, RN.
reason s: {His} {kin.relation} {kin} had asked the unit for a social work visit.
reason h @open: {Mr} {patient:last} comes in with {complaint}.
reason h @open: {complaint_cap}, as told by {his} {kin.relation} {kin:first}.
reason d @open: {patient} was admitted on {visit} with {complaint}.
reason d @open: {Mr} {patient:last} was admitted with {complaint}.
reason p @open: {Mr} {patient:last} was admitted with {complaint}.
reason d: The admission was accepted by Dr. {attending:last}.
history shpd @open: This {age}-year-old {man} has {background}.
history s @open: {Mr} {patient:last} is {a_man} in hospital with {disease}.
history s @open: {patient} is {age} years old and in hospital with {disease}.
history s: {patient:first} was pleasant and took an active part in the conversation.
history s: {His} {kin.relation}, {kin}, joined for part of the interview.
history s: {kin:first} worries that {he} will not manage at home.
history s: The interview on {visit} lasted about an hour.
history s: Since a fall on {past}, {he} has been afraid of the stairs.
history s: {Mr} {patient:last} was last known to our department on {past}.
history h @open: {patient} is a {age}-year-old {man} with {background} who presents with {complaint}.
history h @open: {Mr} {patient:last} is {a_man} with {background} who presents with {complaint}.
history h @open: {patient} is {a_man} with {background}, admitted on {visit} with {complaint}.
history h: {He} was seen in the emergency department on {visit} by Dr. {attending:last}.
history h: Part of the history comes from {his} {kin.relation} {kin}.
history h: {kin:first} confirms that {he} took the medicines as prescribed.
history h: {He} had called the office of Dr. {pcp:last} two days earlier.
history h: Dr. {pcp:last} had last seen {him} on {past}.
history h: {Mr} {patient:last} had been in {his} usual health until then.
history h: {patient:first} walked with a cane before this illness.
history h: {He} came to {facility} by ambulance.
history p @open: {Mr} {patient:last} is {a_man} being treated for {disease}.
history p @open: {patient}, {a_man} with {background}, is seen on rounds for {disease}.
history p @open: {patient}, {age}, is seen on rounds for {disease}.
history p: {nurse}, RN, reports a quiet night.
history p: {patient:first} slept well and ate most of {his} breakfast.
history p: {Mr} {patient:last} walked in the corridor with assistance.
history p: Seen together with Dr. {consultant:last} of {consultant.trade}.
history p: {His} {kin.relation} {kin} was at the bedside.
history p: Medicines on admission were confirmed with {pharmacy}.
history d @open: {Mr} {patient:last} is {a_man} with {background}.
history d @open: {patient} is a {age}-year-old {man} with {background}.
history d: {He} had been seen by Dr. {pcp:last} on {past} for a routine visit.
history d: {His} {kin.relation} {kin:first} brought {him} to the emergency department.
history d: {He} came to {facility} by ambulance on {visit}.
past h: {He} was in hospital on {past} for an unrelated illness.
past h: {He} has been treated at {facility:short} before.
past h: {He} is followed by Dr. {consultant:last} ({consultant.trade}).
past h: Colonoscopy on {past} was unremarkable.
past h: Vaccinations were brought up to date by Dr. {pcp:last} on {past}.
past h: Records were requested from Dr. {pcp:last}.
social shd: {He} lives in {city}, {state}, in a house with three steps at the entrance.
social shpd @lives: {He} has lived in {city} for many years.
social shpd @lives: {He} lives in {city} with {his} {kin.relation} {kin:first}.
social shpd @moved: {He} moved here from {othercity} after retirement.
social shpd @moved: {He} grew up in {othercity}.
social shpd @raised: {He} was raised in {otherstate}.
social shpd: {He} would like to return to {city} as soon as possible.
social shpd: Neighbors in {city} look after the house.
social shpd: Transport back to {city} can be arranged.
social shpd: A volunteer group in {city} helps with shopping.
social shpd @insured: {He} is insured through the state program of {state}.
social shpd: {His} driving license was issued in {state}.
social shpd: {He} has no advance directive on file in {state}.
social shpd: Applications for benefits were made in {state}.
social shpd @zip2: Home services cover the {zip} area.
social shpd @zip3: The nearest infusion center is also in {zip}.
social shpd @street2: The apartment at {street} is on the ground floor.
social shpd @street3: Mail still goes to {otherstreet}.
social shpd: {He} was born in {country} and came here as a young adult.
social shpd: Several relatives remain in {country}.
social shpd: At {age}, {he} still does most things without help.
social shpd: {His} father had a heart attack at {onset}.
social shpd: {patient:first} used to work for {employer}.
social shpd: {He} keeps {his} health plan through {employer:short}.
social shpd: Former colleagues from {employer:short} visit often.
social shpd: {He} enjoys gardening and time with {his} {kin.relation} {kin:first}.
social shpd: {kin} ({kin.relation}) is the health care proxy.
social s: {kin.Mr} {kin:last} has health problems too and can help on some days only.
social s: {Mr} {patient:last} manages {his} own money and pays the bills on time.
social s: {patient:first} describes {his} mood as low but denies thoughts of self-harm.
social shd: Before admission {agency} came twice a week.
exam h: {Mr} {patient:last} was examined with {nurse}, RN, present.
exam p: Findings agree with those of Dr. {consultant:last}.
exam d: On {leave} {he} was afebrile and walking with a frame.
exam d: {patient:first} felt well and was eager to go home.
"""

ACTIONS = """
data hpd*: {visit}: {finding}.
data hpd*: {past}: {earlier}.
data hpd*: {study}, accession {accession}: {reading}.
data s*: {record}, dated {visit}.
data s*: {record}, dated {past}.
data s*: {record}, reference {accession}.
data hpd: Earlier films of {past} from {facility:short} were reviewed.
data shpd*: {facility}: {outside}.
course s: Met with {patient:first} and {his} {kin.relation} {kin:first} to set goals.
course s: The options were explained to {Mr} {patient:last}, who wishes to go home with services.
course s: Options were presented to {patient} and questions answered.
course s: The case was discussed with Dr. {attending:last} at the interdisciplinary meeting.
course s: {nurse}, RN, attended the family meeting on {visit}.
course s: A referral to {agency} was sent.
course s: {worker} spoke with Dr. {pcp:last} about services already in place.
course s: {worker} helped {him} fill in the benefits forms.
course d: {Mr} {patient:last} was seen by Dr. {consultant:last} of {consultant.trade}.
course d: Dr. {consultant:last} agreed with the treatment.
course d: Dr. {attending:last} discussed the course with {his} {kin.relation} {kin:first}.
course d: By {leave} {he} was stable on oral medicines.
course d: A family meeting took place on {visit} with {kin}.
course d: {patient:first} worked with physical therapy every day.
course d: {worker}, LCSW, arranged the services at home.
course d: {Mr} {patient:last} tolerated the treatment without side effects.
assess h @open: {Mr} {patient:last} is {a_man} with {disease}.
assess p @open: {patient:first} is making steady progress.
assess p @open: {disease_cap}, improving. Discussed with Dr. {attending:last}.
assess s @open: {Mr} {patient:last} is at moderate risk of readmission because of little support by day.
assess s: {kin:first} is a reliable support.
assess s: The team of Dr. {attending:last} considers {him} able to decide for {himself}.
assess h: Discussed with Dr. {attending:last}, who agrees with the assessment.
assess hp: Dr. {consultant:last} ({consultant.trade}) was asked for an opinion.
assess hp: {patient} understands the diagnosis and agrees with the plan.
assess p: The situation was explained to {Mr} {patient:last} and {kin:first} ({kin.relation}).
plan s: Dr. {attending:last} has been informed.
plan hpd: Discuss the next steps on rounds with Dr. {attending:last}.
plan hpd: Dr. {consultant:last} ({consultant.trade}) will follow.
plan hpd: Await the advice of Dr. {consultant:last}.
plan shd: Follow-up with Dr. {pcp:last} on {future}.
plan shd: Send a copy to Dr. {pcp:last}.
plan shpd: Return visit on {future}.
plan shpd: Prescriptions go to {pharmacy}.
plan shpd: Pill organizer to be filled weekly by {pharmacy:short}.
plan shpd: Referral to {agency} for nursing and therapy at home.
plan shp: Case review on {future}.
plan shpd: {kin:first} will bring clothes and hearing aids.
plan shpd: Call {kin} ({kin.relation}) with any change.
plan spd: {worker}, LCSW, to continue planning for home.
plan spd: {worker:last} to complete the application for equipment.
plan p: {nurse}, RN, to review the medicines at the bedside.
plan d: {patient:first} was given written instructions on {leave}.
plan d: Discharge papers of {leave} were reviewed and signed.
plan shpd: Identity checked by name and MRN {mrn}.
plan shpd: Labels reprinted for MRN {mrn}.
plan shpd*: {topic_cap} explained to {Mr} {patient:last}.
plan shpd*: {issue_cap}: discussed with Dr. {attending:last}.
plan hpd*: {issue_cap}: per Dr. {consultant:last} ({consultant.trade}).
plan shp*: {topic_cap} to be reinforced by nurse {nurse:last}.
plan shpd*: {topic_cap} gone over with {kin:first} ({kin.relation}).
plan spd*: {task_cap}: {worker:last} to arrange.
plan shd*: {issue_cap}: Dr. {pcp:last} to follow in clinic.
plan shpd*: {appointment_cap} on {future}.
plan d*: {task_cap} done before leaving on {leave}.
plan shpd*: {task_cap}: {agency}.
contact shpd: Nursing station: {unitphone}
contact shpd: {kin} ({kin.relation}): {kinphone}
contact shpd: Family: {kinphone}
contact shpd: Family, preferred number: {kinphone}
contact shpd: Patient at home: {homephone}
contact shpd: Message left at {homephone}.
contact shpd: Clinic appointments: {clinicphone}
contact shpd: To change an appointment: {clinicphone}
contact shpd: Pharmacy: {pharmacyphone}
contact shpd: Refill line: {pharmacyphone}
contact shpd: Unit, direct line: {unitphone}
contact shpd: Records by fax: {fax}
"""


LETTERS = {SOCIAL_WORK: "s", HISTORY: "h", PROGRESS: "p", DISCHARGE: "d"}
_PARTS = (
    "patient kin attending consultant nurse worker pcp visit past future dob leave mrn account encounter "
    "member docid accession unitphone homephone clinicphone kinphone pharmacyphone fax street otherstreet "
    "city othercity state otherstate zip country age onset facility agency pharmacy employer"
)
PARTS = frozenset(_PARTS.split())
OPENING = "open"
_LINE = re.compile(r"(?P<section>\w+) (?P<kinds>[shpd]+)(?P<again>\*?)(?: @(?P<group>\w+))?: (?P<text>.+)")
_SLOT = re.compile(r"\{(\w+)(?:([:.])(\w+))?\}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot in a sentence."""

    name: str
    form: str = ""
    """The written form of an identifier; empty for its usual forms."""
    fact: str = ""
    """A word about an identifier that is not an identifier itself."""

    @property
    def marked(self) -> bool:
        """Whether the value is annotated in the gold standard."""
        return self.name in PARTS and not self.fact


Pieces = tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence: a sequence of text and slots."""

    section: str
    kinds: str
    wordings: tuple[Pieces, ...]
    """Alternative wordings with the same identifier slots; most sentences have one."""
    group: str | None
    again: bool
    rank: int
    """Its position in the list, which is the order of sentences in a section."""
    needs: Mapping[str, int]
    """Number of mentions of each role that it uses."""

    @property
    def exclusive(self) -> str | None:
        """The group of which a note uses only one sentence; for openings, one per section."""
        return f"{self.group} {self.section}" if self.group else None


@cache
def pieces_of(text: str) -> Pieces:
    """Split a sentence into text and slots.

    >>> pieces_of("Seen by Dr. {pcp:last}.")
    ('Seen by Dr. ', Slot(name='pcp', form='last', fact=''), '.')
    """
    pieces: list[str | Slot] = []
    end = 0
    for found in _SLOT.finditer(text):
        pieces += [text[end : found.start()]] if found.start() > end else []
        name, mark, rest = found.groups()
        pieces.append(Slot(name, form=rest if mark == ":" else "", fact=rest if mark == "." else ""))
        end = found.end()
    return (*pieces, text[end:]) if end < len(text) else tuple(pieces)


def _parse_templates(block: str) -> Iterator[Template]:
    for rank, line in enumerate(block.strip().splitlines()):
        found = _LINE.fullmatch(line)
        if found is None:  # blank lines between the blocks
            continue
        wordings = tuple(pieces_of(text) for text in found["text"].split(" // "))
        slots = [piece for piece in wordings[0] if isinstance(piece, Slot)]
        yield Template(
            section=found["section"],
            kinds=found["kinds"],
            wordings=wordings,
            group=found["group"],
            again=bool(found["again"]),
            rank=rank,
            needs=Counter(slot.name for slot in slots if slot.marked),
        )


@cache
def sentences_for(kind: str) -> Mapping[str, tuple[Template, ...]]:
    """The sentences with identifiers for a kind of note, by each role that they mention."""
    suited = [each for each in _parse_templates(HEADER + STORY + ACTIONS) if LETTERS[kind] in each.kinds]
    return {part: tuple(each for each in suited if part in each.needs) for part in PARTS}


@cache
def fillers_for(kind: str) -> tuple[Template, ...]:
    """The sentences without identifiers for a kind of note."""
    return tuple(each for each in _parse_templates(TOPICS) if LETTERS[kind] in each.kinds)


class Words:
    """The words of one note; every list item is used once before any is repeated."""

    def __init__(self, illness: Illness, facts: Mapping[str, str], *, rng: np.random.Generator) -> None:
        """Set the words that stay the same throughout the note; all others are drawn when needed."""
        self._fixed = {
            **facts,
            "disease": illness.disease,
            "complaint": illness.complaint,
            "background": illness.background,
        }
        self._rng = rng
        self._waiting: dict[str, list[str]] = {}

    def __call__(self, name: str) -> str:
        """The word for a slot; names that end in `_cap` give a capitalized word."""
        if name in self._fixed:
            return self._fixed[name]
        if name.endswith("_cap"):
            word = self(name.removesuffix("_cap"))
            return word[0].upper() + word[1:]
        if name == "bp":
            return f"{self('systolic')}/{self('diastolic')}"
        if name in NUMBERS:
            low, high, decimals = NUMBERS[name]
            return f"{self._rng.uniform(low, high):.{decimals}f}"
        return self._next(name)

    def _next(self, name: str) -> str:
        waiting = self._waiting.setdefault(name, [])
        if not waiting:
            waiting += LISTS[name]
        item = pick(waiting, rng=self._rng)
        waiting.remove(item)
        return "".join(self(piece.name) if isinstance(piece, Slot) else piece for piece in pieces_of(item))
