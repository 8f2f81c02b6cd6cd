import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Lets a script write, kills it without warning `afterMs` after its first output, and returns the whole lines it wrote. */
export async function killWhileWriting(
  script: URL,
  args: readonly string[],
  afterMs: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  await once(child.stdout, 'data')
  await wait(afterMs)
  child.kill('SIGKILL')
  await once(child, 'close')
  return said.slice(0, said.lastIndexOf('\n')).split('\n')
}
