"""Illnesses and the sentences about them in a note. These contain no names, dates, places or ages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Illness:
    """A reason for a hospital stay and its typical course."""

    disease: str
    stages: tuple[str, ...]
    specialties: tuple[str, ...]
    complaint: str
    background: str
    said: Mapping[str, tuple[str, ...]]
    """Sentences by section. `after` is the plan after discharge, `now` and `status` are findings and
    assessment some days later, `drug` is the medication at discharge, and `home` the medication at
    admission if it differs."""


_ILLNESSES = """
# acute decompensated heart failure | elderly middle-aged | cardiology, nephrology, palliative care
shortness of breath and leg swelling | ischemic cardiomyopathy, hypertension and chronic kidney disease
history: Over ten days {he} noted worsening dyspnea on exertion and needed three pillows to sleep.
history: {He} gained about {kg} kg and admits to salty meals.
history: {He} denies chest pain, palpitations, fever and cough.
exam: Jugular venous pressure is raised, with crackles at both bases.
exam: Pitting edema reaches the knees on both sides.
now: Crackles have cleared to the bases and edema to the ankles.
now: Jugular venous pressure is two centimeters lower than on admission.
status: Diuresis is on target and oxygen is off.
course: Intravenous furosemide led to a net loss of {liters} liters and a weight loss of {kg} kg.
course: Repeat echocardiogram showed an ejection fraction of {ef}% without new wall motion abnormality.
course: The beta blocker was held at first and resumed at half the dose.
assess: Volume overload from dietary indiscretion; the creatinine of {cr} mg/dL is close to baseline.
plan: Furosemide 40 mg intravenously twice a day, strict intake and output, daily weights.
plan: Two-gram sodium diet and fluid restriction of 1.5 liters.
after: Furosemide 40 mg by mouth daily; call for a gain of more than 2 kg in three days.
drug: furosemide 40 mg daily; carvedilol 6.25 mg twice daily; lisinopril 10 mg daily; aspirin 81 mg daily

# community-acquired pneumonia | elderly middle-aged | pulmonology, infectious disease, endocrinology
fever, cough and right-sided pleuritic pain | chronic obstructive pulmonary disease and type 2 diabetes
history: Symptoms began four days earlier with chills and a cough with yellow sputum.
history: {He} became more short of breath overnight and used the rescue inhaler without relief.
history: There was no hemoptysis, travel or contact with anyone known to be ill.
exam: Bronchial breath sounds and dullness are present at the right base.
exam: There is no accessory muscle use at rest.
now: Breath sounds at the right base are louder than before, with few crackles.
now: Wheezing has gone.
status: Afebrile, white count falling, close to oral treatment.
course: Ceftriaxone and azithromycin were given, and oxygen was weaned to room air.
course: Blood cultures stayed negative and the white count fell from {wbc_high} to {wbc}.
course: Steroids were given for wheezing and tapered over five days.
assess: Right lower lobe pneumonia with a mild flare of obstructive disease, without sepsis.
plan: Ceftriaxone 1 g daily and azithromycin 500 mg daily, change to oral when afebrile.
plan: Incentive spirometry, nebulizers every six hours, repeat film after treatment.
after: Finish the antibiotic at home; chest film again in six weeks.
drug: tiotropium 18 mcg inhaled daily; albuterol inhaler as needed; metformin 1000 mg twice daily

# left hip fracture | elderly | orthopedics, geriatrics, rehabilitation medicine
left hip pain after a fall | osteoporosis, hypertension and mild cognitive impairment
history: {He} tripped over a rug at home and could not get up.
history: There was no loss of consciousness, head strike or chest pain before the fall.
history: {He} takes no anticoagulant and last ate the evening before.
exam: The left leg is shortened and externally rotated; pulses are intact.
exam: There is no spinal tenderness, and the skin over the hip is closed.
now: The incision is dry without redness; the calf is soft.
now: Foot pulses are present and the toes move freely.
status: Recovering well after hemiarthroplasty; no delirium now.
course: {He} underwent uncomplicated hemiarthroplasty under spinal anesthesia.
course: Postoperative hemoglobin was {hgb} g/dL and no transfusion was needed.
course: Delirium on the second night cleared with reorientation and a lower opioid dose.
assess: Displaced femoral neck fracture, medically fit for surgery at intermediate risk.
plan: Weight bearing as tolerated with a walker, physical therapy twice a day.
plan: Enoxaparin 40 mg daily for four weeks, calcium and vitamin D.
after: Walk with full weight bearing and a walker; no bending past a right angle at the hip.
drug: alendronate 70 mg weekly; amlodipine 5 mg daily; calcium with vitamin D; acetaminophen as needed

# cellulitis of the right leg | elderly middle-aged | infectious disease, endocrinology, podiatry
redness and swelling of the right lower leg | type 2 diabetes, obesity and venous insufficiency
history: {He} noticed a blister after new shoes, followed by spreading redness over three days.
history: Oral cephalexin brought no improvement.
history: {He} has had chills but no measured fever, and {his} sugars ran above 250 at home.
exam: Warm, tender erythema extends from the ankle to the mid shin without fluctuance.
exam: Sensation to monofilament is reduced on both soles.
now: Redness has moved back from the marked border by two centimeters.
now: The blister is dry and there is no fluctuance.
status: Responding to cefazolin; sugars nearer to target.
course: Intravenous cefazolin was started and the marked border receded within two days.
course: Ultrasound excluded deep vein thrombosis.
course: Insulin glargine was raised because of glucose values up to {glucose_high} mg/dL.
assess: Non-purulent cellulitis in a diabetic foot at risk; hemoglobin A1c {a1c}%.
plan: Cefazolin 2 g every eight hours, leg elevation, podiatry for offloading.
plan: Basal and correction insulin with a target of 140 to 180 mg/dL.
after: Cephalexin 500 mg four times a day for one week; keep the leg raised at rest.
drug: insulin glargine 22 units at bedtime; metformin 1000 mg twice daily; atorvastatin 40 mg nightly

# acute ischemic stroke | elderly middle-aged | neurology, cardiology, rehabilitation medicine, ophthalmology
sudden weakness of the left arm and slurred speech | paroxysmal atrial fibrillation and hypertension
history: {He} was last seen well at bedtime and woke with a weak, clumsy left hand.
history: Anticoagulation had been stopped by {him} because of bruising.
history: There was no headache, seizure or earlier stroke.
exam: Left facial droop, left pronator drift and mild dysarthria are present.
exam: Gaze is full, visual fields are intact and sensation is normal.
now: Left arm drift is slight and the facial droop is barely visible.
now: Speech is clear except for long words.
status: Deficit improving; swallowing is safe.
course: Imaging showed a small infarct in the right middle cerebral artery territory.
course: {He} passed the swallowing test and advanced to a regular diet.
course: Apixaban was started on the fourth day without bleeding.
assess: Cardioembolic stroke, outside the window for thrombolysis, deficit improving.
plan: Permissive hypertension for the first day, telemetry, high-intensity statin.
plan: Speech, occupational and physical therapy; evaluation for acute rehabilitation.
after: Therapy for arm and speech three times a week; do not stop apixaban.
home: metoprolol succinate 50 mg daily; simvastatin 20 mg nightly
drug: apixaban 5 mg twice daily; metoprolol succinate 50 mg daily; atorvastatin 80 mg nightly

# upper gastrointestinal bleeding | elderly middle-aged | gastroenterology, hematology, cardiology, surgery
black stools and dizziness | osteoarthritis on daily naproxen and coronary artery disease
history: {He} passed three black stools and felt faint on standing.
history: {He} takes naproxen twice a day for knee pain, without acid suppression.
history: There was no hematemesis, weight loss or liver disease.
exam: Conjunctivae are pale; the abdomen is soft with mild epigastric tenderness.
exam: Rectal examination shows melena.
now: The epigastrium is no longer tender.
now: Stool is brown again.
status: No further bleeding since endoscopy; hemoglobin steady.
course: Two units of red cells were given and the hemoglobin rose to {hgb} g/dL.
course: Endoscopy showed a clean-based duodenal ulcer that needed no treatment.
course: Biopsies for Helicobacter pylori were taken and are pending.
assess: Peptic ulcer bleeding from anti-inflammatory drugs, now without ongoing loss.
plan: Pantoprazole 40 mg twice a day for eight weeks; stop naproxen.
plan: Hemoglobin every eight hours, transfuse below 7 g/dL.
after: Pantoprazole twice a day for eight weeks; no naproxen or similar drugs.
home: naproxen 500 mg twice daily; aspirin 81 mg daily; atorvastatin 40 mg nightly
drug: pantoprazole 40 mg twice daily; acetaminophen 650 mg as needed; aspirin 81 mg daily

# acute kidney injury with urinary retention | elderly | nephrology, urology, geriatrics, rheumatology
poor urine output and lower abdominal pain | neurogenic bladder, gout and hypertension
history: {He} had passed little urine for two days after taking a cold remedy.
history: {He} denies fever, flank pain and blood in the urine.
history: Appetite was poor and {he} continued the daily diuretic.
exam: The bladder is palpable above the pubis and tender.
exam: There is no edema and no flank tenderness.
now: The bladder is no longer palpable; urine is clear.
now: There is no edema.
status: Creatinine falling since drainage; potassium normal.
course: A catheter drained {ml} mL at once and the creatinine fell from {cr_high} to {cr} mg/dL.
course: Ultrasound showed mild bilateral hydronephrosis that resolved.
course: A voiding trial before leaving was successful.
assess: Obstructive kidney injury; recovery expected after drainage.
plan: Tamsulosin 0.4 mg at bedtime, hold diuretic, monitor output.
plan: Avoid decongestants and anti-inflammatory drugs; recheck creatinine in one week.
after: Blood test for kidney function in one week; no decongestants.
home: hydrochlorothiazide 25 mg daily; allopurinol 100 mg daily; amlodipine 10 mg daily
drug: tamsulosin 0.4 mg at bedtime; allopurinol 100 mg daily; amlodipine 10 mg daily

# acute pancreatitis | middle-aged | gastroenterology, surgery, endocrinology, nutrition support
severe epigastric pain and vomiting | gallstones, hypertriglyceridemia and obesity
history: Pain began after a heavy meal, bores through to the back and eases on leaning forward.
history: {He} vomited four times and could not keep fluids down.
history: {He} had two milder attacks in the past year and did not seek care.
exam: The epigastrium is tender without rigidity; bowel sounds are reduced.
exam: The sclerae are anicteric and the mucous membranes dry.
now: The epigastrium is only slightly tender; bowel sounds are back.
now: The sclerae are anicteric.
status: Eating small meals without pain.
course: Fluids, analgesia and early feeding were tolerated from the second day.
course: Lipase fell from {lipase} U/L and liver enzymes returned to normal.
course: Ultrasound confirmed gallstones without duct dilatation.
assess: Mild gallstone pancreatitis without organ failure.
plan: Balanced crystalloid at 150 mL per hour, hydromorphone as needed.
plan: Surgical consultation for cholecystectomy during this stay.
after: Low-fat diet; surgery clinic about removal of the gallbladder.
drug: fenofibrate 145 mg daily; lisinopril 20 mg daily; omeprazole 20 mg daily

# pulmonary embolism | middle-aged elderly | hematology, pulmonology, cardiology, orthopedics
sudden chest pain and breathlessness | recent knee replacement and obesity
history: {He} felt a sharp pain on breathing in and nearly fainted on the stairs.
history: The right calf had been swollen for a week.
history: There is no earlier clot and no known malignancy.
exam: The right calf is two centimeters larger than the left and tender.
exam: Lungs are clear and the second heart sound is loud.
now: The right calf is softer and less tender.
now: Lungs are clear on both sides.
status: Low-risk embolism, stable on an oral anticoagulant.
course: Scan showed segmental emboli in both lower lobes without right heart strain.
course: Heparin was changed to rivaroxaban on the second day.
course: Oxygen was no longer needed after the third day.
assess: Provoked, low-risk pulmonary embolism with normal troponin.
plan: Rivaroxaban 15 mg twice daily for three weeks, then 20 mg daily for at least three months.
plan: Bleeding precautions explained; ambulate with therapy.
after: Rivaroxaban 15 mg twice daily, then 20 mg once daily, for at least three months.
home: acetaminophen 650 mg as needed; docusate 100 mg twice daily
drug: rivaroxaban 15 mg twice daily; acetaminophen 650 mg as needed; docusate 100 mg twice daily

# urosepsis | elderly middle-aged | infectious disease, urology, endocrinology, critical care
fever, confusion and painful urination | recurrent urinary infection, type 2 diabetes and neuropathy
history: {He} had burning on urination for two days, then rigors and new confusion.
history: {He} was found drowsy in bed and had not eaten since the day before.
history: {He} had finished a course of nitrofurantoin the month before.
exam: The left flank is tender; answers are slow but correct.
exam: The mucous membranes are dry.
now: The flank is slightly tender; the mind is clear.
now: The mucous membranes are moist.
status: Fever gone and lactate normal; antibiotic narrowed by sensitivities.
course: Lactate fell from {lactate} to normal after two liters of fluid.
course: Urine and blood grew Escherichia coli sensitive to ceftriaxone.
course: Mental state was back to baseline on the third day.
assess: Sepsis from pyelonephritis, responding to fluids and antibiotics.
plan: Ceftriaxone 2 g daily, narrow by sensitivities, fourteen days in all.
plan: Hold metformin; glucose checks before meals.
after: Finish fourteen days of antibiotic; drink plenty; return if confused or feverish.
drug: gabapentin 300 mg three times daily; metformin 500 mg twice daily; cranberry extract daily
"""


@cache
def illnesses() -> tuple[Illness, ...]:
    """All illnesses, parsed once."""
    return tuple(_parse_illness(block) for block in _ILLNESSES.strip().split("\n\n"))


def _parse_illness(block: str) -> Illness:
    first, second, *lines = block.splitlines()
    disease, stages, specialties = first.removeprefix("# ").split(" | ")
    complaint, background = second.split(" | ")
    said: dict[str, tuple[str, ...]] = {}
    for line in lines:
        section, _, text = line.partition(": ")
        said[section] = (*said.get(section, ()), text)
    return Illness(
        disease, tuple(stages.split()), tuple(specialties.split(", ")), complaint, background, said
    )
