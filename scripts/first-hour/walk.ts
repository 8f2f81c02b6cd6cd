import type { Step } from './step.ts'

export type Seen = { item: number; says: string; saw: string; isRight: boolean; seconds: number }

/** Walks the steps one after the other; one that goes wrong does not keep the next from being walked. */
export async function walk<Needs>(steps: readonly Step<Needs>[], needs: Needs): Promise<Seen[]> {
  const seen: Seen[] = []
  for (const { item, says, walk } of steps) {
    const startedMs = performance.now()
    const { saw, isRight } = await walk(needs).then(
      (saw) => ({ saw, isRight: true }),
      (error: unknown) => ({ saw: firstLines(error), isRight: false }),
    )
    const each = { item, says, saw, isRight, seconds: (performance.now() - startedMs) / 1000 }
    seen.push(each)
    console.log(row(each))
  }
  return seen
}

const SHOWN_LINES = 12
const firstLines = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n').slice(0, SHOWN_LINES).join('\n')

export const row = ({ item, says, saw, isRight, seconds }: Seen): string =>
  `| ${String(item).padStart(4)} | ${isRight ? 'ok    ' : 'WRONG '} | ${says} | ${saw.replaceAll('|', '/')} | ${seconds.toFixed(1)} |`

export const HEADING = ['| item | result | what | seen | seconds |', '|---:|---|---|---|---:|'].join('\n')
