import { MONTH, NEXT_MONTH, question, race, type Subject, YEAR } from '../subject.ts'

const weather = { tags: ['weather'], busy: 0.6 }
const afternoon = { every: 'day', atHour: 18 } as const

export const WEATHER: readonly Subject[] = [
  race(
    'highest-temperature-port-alder',
    'Highest temperature in Port Alder on {date}?',
    'Will the highest temperature in Port Alder be {choice} on {date}?',
    { '14°C or below': 8, '15-16°C': 24, '17-18°C': 37, '19-20°C': 22, '21°C or higher': 9 },
    { ...weather, ends: afternoon },
  ),
  question('rain-port-alder', 'Will it rain in Port Alder on {date}?', 0.41, { ...weather, ends: afternoon }),
  question('snow-kessel', 'Snow in Kessel on {date}?', 0.06, {
    ...weather,
    ends: { every: 'day', atHour: 12 },
  }),
  question('named-storms', 'Named storm makes landfall on the Amber Coast by the end of {date}?', 0.28, {
    ...weather,
    ends: MONTH,
  }),
  race(
    'rank-of-the-month',
    'Where will {date} rank among the warmest on record?',
    'Will {date} be {choice} on record for its month?',
    { warmest: 31, 'second warmest': 30, 'third warmest': 19, 'fourth or cooler': 20 },
    { ...weather, ends: NEXT_MONTH },
  ),
  question('category-five', 'Category 5 storm in {date}?', 0.36, { ...weather, ends: YEAR }),
]
