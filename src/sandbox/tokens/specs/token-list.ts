import { BLUE_CHIPS } from './blue-chips.ts'
import { HOSTILE } from './hostile.ts'
import { MEMES } from './memes.ts'
import { MONEY } from './money.ts'
import { RISKY } from './risky.ts'
import type { TokenSpec } from './token-spec.ts'

/** The tokens that are always there; new ones come with `launches.ts`. */
export const TOKEN_LIST: readonly TokenSpec[] = [...MONEY, ...BLUE_CHIPS, ...MEMES, ...RISKY, ...HOSTILE]
