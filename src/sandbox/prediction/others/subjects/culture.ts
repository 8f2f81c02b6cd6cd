import { MONTH, NEXT_MONTH, NEXT_YEAR, question, race, type Subject, YEAR } from '../subject.ts'

const culture = { tags: ['culture'], busy: 0.8 }

/** Longer than any column that a careless reader reserves for it. */
const LONG_TITLE = `Will the committee of the Port Alder festival of short, medium and feature-length films, having heard the jury, the audience and ${'the jury of the audience, '.repeat(9)}award its Golden Lantern to a film without a single spoken word by the end of {date}?`

export const CULTURE: readonly Subject[] = [
  race(
    'best-film',
    'Golden Lantern {date}: best film?',
    'Will “{choice}” win best film at the {date} Golden Lantern?',
    {
      'The Salt Road': 33,
      'Onze heures douze': 24,
      Übermorgen: 17,
      'A House Called No': 13,
      静かな海: 8,
      'any other film': 5,
    },
    { ...culture, ends: NEXT_YEAR, busy: 3 },
  ),
  question('silent-film', LONG_TITLE, 0.13, { ...culture, ends: NEXT_YEAR }),
  question('album', 'New album by “The Tin Foxes” before the end of {date}?', 0.42, {
    ...culture,
    ends: MONTH,
  }),
  question('box-office', `"Paper Moons 2" opens above $80m? ({date})`, 0.27, {
    ...culture,
    ends: NEXT_MONTH,
  }),
  question('most-streamed', 'Is a song over 30 years old the most streamed of {date}?', 0.03, {
    ...culture,
    ends: YEAR,
  }),
  question('quiz', "Does the reigning champion win tonight's quiz? ({date})", 0.68, {
    ...culture,
    ends: { every: 'day', atHour: 22 },
  }),
  question(
    'escaped',
    "Is Pip the otter (Port Alder zoo) caught by {date}? <b>&amp; 'quoted' \\ text</b>",
    0.9,
    {
      ...culture,
      tags: ['culture', 'animals'],
      ends: MONTH,
    },
  ),
]
