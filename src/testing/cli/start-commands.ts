import { fork } from 'node:child_process'
import { once } from 'node:events'

export type CommandCall = { args: readonly string[]; env: Record<string, string | undefined>; cwd: string }
export type CommandEnd = { status: number; stdout: string; stderr: string }

const host = new URL('./command-host.ts', import.meta.url)

/**
 * One process beside the tests that runs one command after the other. Most of what a command takes is the start of its
 * process: this is for cases that are not about the process. `serve` is none of them, it ends the process.
 */
export function startCommands() {
  const child = fork(host, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  return {
    async run(call: CommandCall): Promise<CommandEnd> {
      const answered = once(child, 'message')
      child.send(call)
      const end = await Promise.race([answered.then(([message]) => message as CommandEnd), ended])
      if (Array.isArray(end)) throw new Error(`${call.args.join(' ')} ended the process with ${end[0]}`)
      return end
    },
    async close(): Promise<void> {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
