import { createHash } from 'node:crypto'

/** The names of a market follow from the seed and its slug: they are the same after a restart. */
export function marketIds(
  seed: string,
  slug: string,
): { conditionId: string; tokenIds: readonly [string, string] } {
  const hash = (what: string) => `0x${createHash('sha256').update(`${seed}/${what}/${slug}`).digest('hex')}`
  const token = (index: number) => BigInt(hash(`token-${index}`)).toString()
  return { conditionId: hash('condition'), tokenIds: [token(0), token(1)] }
}

export function simulatedWallet(seed: string, name: string): string {
  return `0x${createHash('sha256').update(`${seed}/wallet/${name}`).digest('hex').slice(0, 40)}`
}

/** Ids that are never given twice, also after a later start: they contain the time and a count. */
export type Ids = { order(atMs: number): string; fill(atMs: number): string }

export function createIds(seed: string): Ids {
  const prefix = createHash('sha256').update(`${seed}/ids`).digest('hex')
  let count = 0
  let time = { atMs: 0, text: '' }
  const next = (atMs: number) => {
    count = (count + 1) % COUNTS
    if (time.atMs !== atMs) time = { atMs, text: atMs.toString(16).padStart(12, '0') }
    return time.text + count.toString(16).padStart(8, '0')
  }
  return {
    order: (atMs) => `0x${prefix.slice(0, 44)}${next(atMs)}`,
    // In the shape of a random UUID, as the venue's trade ids are.
    fill(atMs) {
      const text = next(atMs)
      const [a, b, c, d] = [text.slice(12), text.slice(8, 12), text.slice(5, 8), text.slice(0, 5)]
      return `${a}-${b}-4${c}-8${prefix.slice(0, 3)}-${d.padStart(12, prefix.slice(3))}`
    },
  }
}

const COUNTS = 2 ** 32
