/** When a subject ends: every day at an hour (UTC), or with the month or year that is `ahead` of the present one. */
export type Ends = { every: 'day'; atHour: number } | { every: 'month' | 'year'; ahead: number }

/**
 * Something that is traded besides the five-minute windows; all of it is invented. `{date}` in a text is replaced by
 * the end. Of several choices exactly one wins, each is a market of its own, and their prices add up to about a dollar.
 */
export type Subject = {
  slug: string
  title: string
  tags: readonly string[]
  ends: Ends
  choices: readonly Choice[]
  outcomes: readonly [string, string]
  /** Factor on the volume. */
  busy: number
}

/** `weight` is the probability of a single choice, otherwise it is relative to the others. */
export type Choice = { slug: string; question: string; weight: number }

const YES_NO = ['Yes', 'No'] as const
type Rest = { tags: readonly string[]; ends: Ends; outcomes?: readonly [string, string]; busy?: number }

export function question(slug: string, text: string, weight: number, rest: Rest): Subject {
  return {
    outcomes: YES_NO,
    busy: 1,
    ...rest,
    slug,
    title: text,
    choices: [{ slug, question: text, weight }],
  }
}

/** `{choice}` in the question is replaced by each label. */
export function race(
  slug: string,
  title: string,
  text: string,
  labels: Readonly<Record<string, number>>,
  rest: Rest,
): Subject {
  const choices = Object.entries(labels).map(([label, weight], index) => ({
    slug: `${slug}-${toSlug(label) || index + 1}`,
    question: text.replace('{choice}', label),
    weight,
  }))
  return { outcomes: YES_NO, busy: 1, ...rest, slug, title, choices }
}

function toSlug(label: string): string {
  return label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export const YEAR = { every: 'year', ahead: 0 } as const
export const NEXT_YEAR = { every: 'year', ahead: 1 } as const
export const MONTH = { every: 'month', ahead: 0 } as const
export const NEXT_MONTH = { every: 'month', ahead: 1 } as const
