import { type Log, silentLog } from '../core/log.ts'

export type KeptLine = { level: 'warn' | 'info' | 'error'; text: string } & Record<string, unknown>

/** A log that keeps its lines. */
export function createKeptLog(): Log & { lines: readonly KeptLine[]; about(dependency: string): KeptLine[] } {
  const lines: KeptLine[] = []
  const keep = (level: KeptLine['level']) => (facts: object, text: string) =>
    void lines.push({ level, text, ...facts })
  return {
    ...silentLog,
    warn: keep('warn'),
    info: keep('info'),
    error: keep('error'),
    lines,
    about: (dependency) => lines.filter((line) => line.dependency === dependency),
  }
}
