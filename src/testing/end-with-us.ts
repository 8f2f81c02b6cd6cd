import type { ChildProcess } from 'node:child_process'

/** A harness that ends, for whatever reason that it hears of, leaves no process behind. */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  const leave = () => void child.kill(signal)
  process.once('exit', leave)
  child.once('exit', () => process.off('exit', leave))
}
