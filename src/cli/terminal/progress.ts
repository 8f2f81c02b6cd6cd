/** A progress bar on a terminal; silent elsewhere. */
export type Progress = { show(done: number, all: number): void; end(): void }

const WIDTH = 28
const DRAW_EVERY_MS = 100

export function createProgress(
  label: string,
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): Progress {
  const startedMs = performance.now()
  let drawnMs = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    show(done, all) {
      const nowMs = performance.now()
      if (!out.isTTY || (done < all && nowMs - drawnMs < DRAW_EVERY_MS)) return
      drawnMs = nowMs
      isDrawn = true
      const share = all > 0 ? Math.min(1, done / all) : 0
      const filled = Math.round(share * WIDTH)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
      const seconds = ((nowMs - startedMs) / 1000).toFixed(0)
      out.write(`\r${label.padEnd(16)} ${bar} ${(share * 100).toFixed(0).padStart(3)} %  ${seconds} s`)
    },
    end() {
      if (isDrawn) out.write('\n')
    },
  }
}
