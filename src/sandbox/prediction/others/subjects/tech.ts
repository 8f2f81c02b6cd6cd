import { MONTH, NEXT_MONTH, NEXT_YEAR, question, race, type Subject, YEAR } from '../subject.ts'

const tech = { tags: ['tech'], busy: 1.5 }
const space = { tags: ['tech', 'space'], busy: 1 }

export const TECH: readonly Subject[] = [
  race(
    'best-model',
    'Which lab has the best model at the end of {date}?',
    'Will {choice} have the best model at the end of {date}?',
    { 'Lab Cobalt': 38, 'Lab Saffron': 31, 'Lab Juniper': 18, 'Lab Onyx': 9, 'another lab': 4 },
    { tags: ['tech', 'ai'], busy: 6, ends: MONTH },
  ),
  question('phone-folds', 'Will the Lumen 9 fold? (announced by the end of {date})', 0.71, {
    ...tech,
    ends: NEXT_MONTH,
  }),
  question('moon-lander', 'Soft landing of the Heron probe on the Moon in {date}?', 0.55, {
    ...space,
    ends: YEAR,
  }),
  question('launches', 'More than 20 orbital launches in {date}?', 0.64, { ...space, ends: MONTH }),
  question('crewed-mars', 'Crewed flight to Mars launched by the end of {date}?', 0.016, {
    ...space,
    ends: { every: 'year', ahead: 4 },
  }),
  question('outage', 'Outage of a large cloud for two hours or more on {date}?', 0.05, {
    ...tech,
    ends: { every: 'day', atHour: 23 },
  }),
  question('robot-kitchen', 'Household robot below $10,000 on sale by the end of {date}?', 0.19, {
    ...tech,
    ends: NEXT_YEAR,
  }),
]
