import type { CommandCall, CommandEnd } from './start-commands.ts'

const main = new URL('../../cli/main.ts', import.meta.url).href
// Every command begins with listeners of its own on the two streams.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

let count = 0
/** What a process of its own would do: main.ts is evaluated anew, what it loads is there already. */
async function run({ args, env, cwd }: CommandCall): Promise<CommandEnd> {
  process.env = { ...env }
  process.chdir(cwd)
  process.argv = [process.execPath, main, ...args]
  process.exitCode = 0
  const said = { stdout: '', stderr: '' }
  const writers = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = (text: string | Uint8Array) => {
      said[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }
    return () => {
      process[name].write = write
    }
  })
  try {
    await import(`${main}?${count++}`)
  } finally {
    for (const giveBack of writers) giveBack()
  }
  return { status: Number(process.exitCode), ...said }
}

process.on('message', async (call: CommandCall) => {
  // An error that escapes ends the process, as it would end the command's own.
  const end = await run(call)
  process.exitCode = 0
  process.send?.(end)
})
