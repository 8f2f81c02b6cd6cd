import type { z } from 'zod'

export const MODES = ['sandbox', 'paper', 'live'] as const
export type Mode = (typeof MODES)[number]
/** Whether what is paid is worth nothing. */
export const isPlayMoney = (mode: Mode): boolean => mode !== 'live'

/** What the value's own type cannot say: it depends on the mode or on other variables. */
export type Rules = {
  requiredIn?: readonly Mode[]
  /** With the reason, as the error message gives it. */
  refusedIn?: Readonly<Partial<Record<Mode, string>>>
  /** With the reason, as the notice gives it: harmless, because the mode has an address of its own. */
  ignoredIn?: Readonly<Partial<Record<Mode, string>>>
  /** Names that are set together with this one or not at all. */
  pairedWith?: readonly string[]
  /** Where only an address of this machine is allowed. */
  loopbackOnlyIn?: readonly Mode[]
  /** Never shown, and `<NAME>_FILE` may name a file that holds it. Also addresses in which keys or passwords may stand. */
  isSecret?: true
}

/** An environment variable. The type holds its default; `about` is its line in the documentation. */
export type Variable<T extends z.ZodType = z.ZodType> = Rules & { type: T; about: string }

export function variable<T extends z.ZodType>(type: T, about: string, rules: Rules = {}): Variable<T> {
  return { type, about, ...rules }
}
