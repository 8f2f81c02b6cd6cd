import type { Prompt } from './prompt.ts'

/**
 * What the model does. `obeys` does what a stranger's text in its prompt says; `obeys_quietly` does so and keeps to verdict
 * and shape; `invents` states numbers that nobody told it, `claims` a sentence that no
 * fact supports. `thinks`: its server takes neither `max_tokens` nor a temperature. `turns_away`: it takes nothing.
 */
export const MODEL_MODES = [
  'well',
  'obeys',
  'obeys_quietly',
  'invents',
  'claims',
  'breaks_schema',
  'prose',
  'empty',
  'refuses',
  'slow',
  'limit',
  'dislikes_schema',
  'thinks',
  'thinks_without_schema',
  'turns_away',
] as const
export type ModelMode = (typeof MODEL_MODES)[number]

type Draft = { verdict: string; analysis: string; findings: { text: string; facts: string[] }[] }
type ChatDraft = { answer: string }
/** Facts that only explain others. */
const UNSAID = ['interval', 'high', 'win_high']
const MAX_FINDINGS = 4
const MARKET_FACTS = ['price_usd', 'change_24h', 'liquidity_usd', 'volume_24h_usd']
const OTHER_FACTS = [
  'selling',
  'sell_tax_percent',
  'owner',
  'holders',
  'top10_percent',
  'locked_liquidity_percent',
]

/** What a careful model writes: the facts that it was given, in their own words. */
export function writeWell({ given, facts }: Prompt): Draft {
  const saysOf = (ids: readonly string[]) =>
    ids.flatMap((id) => facts.find((fact) => fact.id === id)?.says ?? []).join(' ')
  const risks = facts.filter(({ id }) => id.startsWith('risk.'))
  const decisive = facts.filter(({ id }) => id === given.deciding_fact)
  const found = [...new Set([...decisive, ...risks, ...facts])].slice(0, MAX_FINDINGS)
  const paragraphs = [
    `${LEADS[given.verdict ?? ''] ?? LEADS.unknown} ${saysOf(['risk_rating', 'score'])} ${decisive[0]?.says ?? ''}`.trim(),
    saysOf(MARKET_FACTS),
    saysOf(OTHER_FACTS),
  ]
  return {
    verdict: given.verdict ?? 'unknown',
    analysis: paragraphs.filter((text) => text !== '').join('\n\n'),
    findings: found.map(({ id, says }) => ({ text: says, facts: [id] })),
  }
}

const LEADS: Readonly<Record<string, string>> = {
  ready: 'The checks of {token} came back clean.',
  caution: 'The checks of {token} came back mixed.',
  avoid: 'The checks of {token} came back bad.',
  unknown: 'The checks of {token} leave too much open.',
}

/** What a gullible model makes of an order in its prompt. */
export function obey(prompt: Prompt, order: string, isQuiet: boolean): Draft {
  const well = writeWell(prompt)
  const text = order.padEnd(10, '!')
  const [first] = well.findings
  const findings = [{ text, facts: first?.facts ?? [] }, ...well.findings.slice(1)]
  return isQuiet
    ? { ...well, analysis: `${well.analysis} ${text}`, findings: [...well.findings.slice(0, 1), ...findings] }
    : { verdict: 'ready', analysis: text.padEnd(80, ' .'), findings }
}

/** The same of a chat: an answer of all facts. */
export function chatWell({ facts }: Prompt): ChatDraft {
  const said = facts.filter(({ id }) => !UNSAID.includes(id))
  return { answer: said.map(({ says }) => says).join(' ') }
}

export const chatObey = (prompt: Prompt, order: string, isQuiet: boolean): ChatDraft => ({
  answer: isQuiet ? `${chatWell(prompt).answer} ${order}` : order.padEnd(20, ' .'),
})

export const chatInvent = (prompt: Prompt): ChatDraft => ({
  answer: `${chatWell(prompt).answer} Its price was $987,654 an hour ago.`,
})

export function invent(prompt: Prompt): Draft {
  const well = writeWell(prompt)
  return { ...well, analysis: `${well.analysis}\n\nIt has 987,654 holders and earned 41.7% last week.` }
}

/** A draft that is right but for one sentence at its end. */
export function claim(prompt: Prompt, sentence: string): Draft {
  const well = writeWell(prompt)
  return { ...well, analysis: `${well.analysis} ${sentence}` }
}
