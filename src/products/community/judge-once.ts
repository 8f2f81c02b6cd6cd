import { createBoundedCache } from '../../core/bounded-cache.ts'

/** Judges each text once, as long as it is among the last `capacity` ones. */
export function judgeOnce(judge: (text: string) => boolean, capacity: number): (text: string) => boolean {
  const judged = createBoundedCache<string, boolean>({ capacity })
  return (text) => {
    const known = judged.get(text)
    if (known !== undefined) return known
    const verdict = judge(text)
    judged.set(text, verdict)
    return verdict
  }
}
