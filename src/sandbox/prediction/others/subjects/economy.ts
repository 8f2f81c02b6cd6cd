import { MONTH, NEXT_MONTH, NEXT_YEAR, question, race, type Subject, YEAR } from '../subject.ts'

const economy = { tags: ['economy'], busy: 3 }

export const ECONOMY: readonly Subject[] = [
  race(
    'rate-decision',
    'Rate decision of the Bank of Norrland in {date}?',
    'Will the Bank of Norrland {choice} in {date}?',
    { 'cut by 50 bps or more': 3, 'cut by 25 bps': 29, 'make no change': 63, 'raise rates': 5 },
    { ...economy, ends: MONTH, busy: 15 },
  ),
  race(
    'rate-decision-after',
    'Rate decision of the Bank of Norrland in {date}?',
    'Will the Bank of Norrland {choice} in {date}?',
    { 'cut by 50 bps or more': 6, 'cut by 25 bps': 44, 'make no change': 44, 'raise rates': 6 },
    { ...economy, ends: NEXT_MONTH, busy: 5 },
  ),
  question('recession', 'Recession in Westmark by the end of {date}?', 0.24, { ...economy, ends: NEXT_YEAR }),
  question('inflation', 'Westmark inflation above 3.0% in {date}?', 0.35, { ...economy, ends: NEXT_MONTH }),
  question('unemployment', 'Westmark unemployment at 4.5% or more in {date}?', 0.52, {
    ...economy,
    ends: MONTH,
  }),
  question('default', 'Sovereign default of Ostavia by the end of {date}?', 0.02, {
    ...economy,
    ends: { every: 'year', ahead: 2 },
  }),
  question('stock-index-up', 'Westmark 100 up or down on {date}?', 0.53, {
    ...economy,
    tags: ['economy', 'stocks'],
    ends: { every: 'day', atHour: 20 },
    outcomes: ['Up', 'Down'],
  }),
  question('oil', 'Oil above 100 in {date}?', 0.08, { ...economy, ends: YEAR }),
]
