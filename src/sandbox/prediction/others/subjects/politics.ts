import { MONTH, NEXT_MONTH, NEXT_YEAR, question, race, type Subject, YEAR } from '../subject.ts'

const politics = { tags: ['politics'], busy: 4 }
const elections = { tags: ['politics', 'elections'], busy: 12 }

export const POLITICS: readonly Subject[] = [
  race(
    'norrland-presidential-election',
    'Norrland presidential election {date}: who wins?',
    'Will {choice} win the {date} Norrland presidential election?',
    {
      'Ingrid Halvaar': 34,
      'Tomas Brekkstad': 27,
      'Ruta Ölmqvist': 16,
      'Jon "the Baker" Fjelde': 12,
      'Mirela Sandbu': 7,
      'another candidate': 4,
    },
    { ...elections, ends: NEXT_YEAR },
  ),
  race(
    'westmark-governor',
    'Westmark governor race',
    'Will the {choice} party hold the governorship of Westmark at the end of {date}?',
    { Harbor: 48, Prairie: 41, Lantern: 8, Independent: 3 },
    { ...elections, ends: YEAR },
  ),
  race(
    'seats-in-the-lower-house-of-ostavia',
    'How many seats will the Ostavian Liberals hold?',
    'Will the Ostavian Liberals hold {choice} seats after the {date} election?',
    { 'fewer than 90': 9, '90 to 104': 31, '105 to 119': 39, '120 or more': 21 },
    { ...elections, ends: { every: 'year', ahead: 3 } },
  ),
  question('norrland-snap-election', 'Snap election called in Norrland by the end of {date}?', 0.14, {
    ...politics,
    ends: YEAR,
  }),
  question('ostavia-referendum', 'Will the Ostavian bridge referendum pass in {date}?', 0.62, {
    ...politics,
    ends: NEXT_MONTH,
  }),
  question('westmark-shutdown', 'Government shutdown in Westmark before the end of {date}?', 0.07, {
    ...politics,
    ends: MONTH,
  }),
  question('capital-moved', 'Will Norrland move its capital by {date}?', 0.012, {
    ...politics,
    ends: { every: 'year', ahead: 4 },
  }),
  question('coalition-holds', 'Does the four-party coalition of Ostavia hold through {date}?', 0.81, {
    ...politics,
    ends: YEAR,
  }),
  question('daily-vote', 'Does the Westmark assembly pass the harbor bill on {date}?', 0.44, {
    ...politics,
    ends: { every: 'day', atHour: 17 },
  }),
]
