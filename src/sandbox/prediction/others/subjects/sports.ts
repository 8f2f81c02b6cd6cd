import { MONTH, NEXT_MONTH, question, race, type Subject, YEAR } from '../subject.ts'

const sports = { tags: ['sports'], busy: 3 }
const football = { tags: ['sports', 'soccer'], busy: 6 }
const evening = { every: 'day', atHour: 21 } as const
const night = { every: 'day', atHour: 4 } as const

export const SPORTS: readonly Subject[] = [
  race(
    'meridian-league-winner',
    'Meridian League winner {date}',
    'Will {choice} win the Meridian League in {date}?',
    {
      'Harbor City': 29,
      'Alto Verde': 22,
      'Real Campanario': 15,
      Nordhavn: 11,
      'São Bento': 9,
      'Dynamo Kessel': 6,
      'Lake United': 5,
      'the field': 3,
    },
    { ...football, ends: YEAR },
  ),
  race(
    'harbor-city-alto-verde',
    'Harbor City vs. Alto Verde, {date}',
    'Harbor City vs. Alto Verde on {date}: {choice}?',
    { 'Harbor City wins': 46, draw: 26, 'Alto Verde wins': 28 },
    { ...football, ends: evening },
  ),
  question('comets-owls', 'Comets vs. Owls, {date}', 0.57, {
    ...sports,
    tags: ['sports', 'basketball'],
    ends: night,
    outcomes: ['Comets', 'Owls'],
  }),
  question('comets-owls-total', 'Comets vs. Owls on {date}: O/U 221.5', 0.5, {
    ...sports,
    tags: ['sports', 'basketball'],
    ends: night,
    outcomes: ['Over', 'Under'],
  }),
  question('anvils-herons', 'Anvils vs. Herons, {date}', 0.38, {
    ...sports,
    tags: ['sports', 'hockey'],
    ends: { every: 'day', atHour: 2 },
    outcomes: ['Anvils', 'Herons'],
  }),
  question('open-final', 'Five sets in the final of the Coral Open, {date}?', 0.33, {
    ...sports,
    tags: ['sports', 'tennis'],
    ends: evening,
  }),
  question('unbeaten', 'Does Nordhavn stay unbeaten through {date}?', 0.21, { ...football, ends: MONTH }),
  question('marathon-record', 'Marathon record under two hours by the end of {date}?', 0.09, {
    ...sports,
    ends: YEAR,
  }),
  question('relegation', 'Will Lake United be relegated in {date}?', 0.17, { ...football, ends: NEXT_MONTH }),
]
