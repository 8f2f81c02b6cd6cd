/** Work that is under way, for those who wait until there is none. */
export type WorkCount = {
  /** Work that never rejects. */
  add(work: Promise<void>): void
  idle(): Promise<void>
}

export function createWorkCount(): WorkCount {
  const underWay = new Set<Promise<void>>()
  return {
    add(work) {
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
