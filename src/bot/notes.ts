import type { Log } from '../core/log.ts'

/** Something that the operator should know and that does not stop the bot. */
export type Note = { code: string; text: string }

export type Notes = {
  /** Replaces the note of this code; undefined: there is nothing to say any more. Logged where it is new. */
  set(code: string, text: string | undefined): void
  list(): readonly Note[]
}

export function createNotes(log: Pick<Log, 'warn'>): Notes {
  // One for each code, of which there are a few.
  const known = new Map<string, string>()
  return {
    set(code, text) {
      if (text === known.get(code)) return
      if (text === undefined) known.delete(code)
      else known.set(code, text)
      if (text !== undefined) log.warn({ code, note: text }, 'the bot noted something for the operator')
    },
    list: () => [...known].map(([code, text]) => ({ code, text })),
  }
}
