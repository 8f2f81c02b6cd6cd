import { MONTH, NEXT_MONTH, NEXT_YEAR, question, type Subject, YEAR } from '../subject.ts'

const world = { tags: ['world'], busy: 2 }

export const WORLD: readonly Subject[] = [
  question('ceasefire', 'Ceasefire between Upper and Lower Kessel by the end of {date}?', 0.31, {
    ...world,
    ends: NEXT_MONTH,
  }),
  question('treaty', 'Is the Amber Coast treaty ratified by the end of {date}?', 0.56, {
    ...world,
    ends: YEAR,
  }),
  question('strait-closed', 'Strait of Alder closed to ships in {date}?', 0.05, { ...world, ends: MONTH }),
  question('summit', 'Do Norrland and Ostavia hold a summit in {date}?', 0.74, {
    ...world,
    ends: NEXT_MONTH,
  }),
  question('joins', 'Does Ostavia join the Meridian Union by the end of {date}?', 0.08, {
    ...world,
    ends: { every: 'year', ahead: 2 },
  }),
  question('border', 'Border between Westmark and Norrland open all of {date}?', 0.88, {
    ...world,
    ends: { every: 'day', atHour: 23 },
  }),
  question('new-country', 'New member state of the Meridian Union in {date}?', 0.12, {
    ...world,
    ends: NEXT_YEAR,
  }),
]
