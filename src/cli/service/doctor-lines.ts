import type { Result } from '../../app/doctor/run-checks.ts'

const WORDS: Readonly<Record<Result['state'], string>> = {
  ok: 'ok',
  warning: 'WARNING',
  failure: 'FAILURE',
  skipped: '-',
}
const STATE_WIDTH = 7
const NAME_WIDTH = 15
const TIME_WIDTH = 8
const INDENT = ' '.repeat(STATE_WIDTH + NAME_WIDTH + TIME_WIDTH + 3)

/** One line, and one more for each thing to do. */
export function toLines({ state, name, tookMs, what, next }: Result): string {
  const head = [
    WORDS[state].padEnd(STATE_WIDTH),
    name.padEnd(NAME_WIDTH),
    `${Math.round(tookMs)} ms`.padStart(TIME_WIDTH),
    what,
  ].join(' ')
  return [head, ...next.map((step) => `${INDENT}-> ${step}`)].map((line) => `${line}\n`).join('')
}

export function toSummary(results: readonly Result[]): string {
  const count = (wanted: Result['state']) => results.filter(({ state }) => state === wanted).length
  const skipped = count('skipped')
  return `${count('failure')} failed, ${count('warning')} warned, ${count('ok')} well${skipped > 0 ? `, ${skipped} not checked: each line says why` : ''}\n`
}

/** For machines: the names are kept, the texts may change. */
export function toJson(results: readonly Result[], mode: string | undefined): string {
  const has = (wanted: Result['state']) => results.some(({ state }) => state === wanted)
  const report = {
    status: has('failure') ? 'failure' : has('warning') ? 'warning' : 'ok',
    mode: mode ?? null,
    checks: results.map(({ name, group, state, what, next, tookMs }) => ({
      name,
      group,
      status: state,
      what,
      next,
      took_ms: Math.round(tookMs),
    })),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
