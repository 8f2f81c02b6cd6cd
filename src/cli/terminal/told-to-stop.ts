import type { EventEmitter } from 'node:events'

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm; a second signal after this time stops at once. */
const ECHO_MS = 1_000
const LOOK_EVERY_MS = 1_000
/** A closed terminal is the third. Node undoes what nohup does, so that it would end the process anyway. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Process = Pick<EventEmitter, 'on'> & {
  readonly ppid: number
  readonly env: Readonly<Record<string, string | undefined>>
  exit(code: number): void
}

/** Resolves to what ended our time: a signal, or the death of the `npm start` that we were started by. */
export function untilToldToStop(own: Process): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let toldMs: number | undefined
  const stop = (cause: string) => {
    if (toldMs !== undefined && performance.now() - toldMs > ECHO_MS) own.exit(1)
    toldMs ??= performance.now()
    resolve(cause)
  }
  for (const signal of SIGNALS) own.on(signal, () => stop(signal))
  if (isStartedByNpm(own.env)) watchParent(own, () => stop('npm is gone'))
  return promise
}

/** npm passes on SIGINT and SIGTERM only. Killed in another way it would leave us behind, with port and lock. */
function watchParent(own: Process, gone: () => void): void {
  const parent = own.ppid
  const looking = setInterval(() => {
    if (own.ppid === parent) return
    clearInterval(looking)
    gone()
  }, LOOK_EVERY_MS)
  looking.unref()
}

const isStartedByNpm = ({ npm_lifecycle_event, npm_package_name }: Process['env']) =>
  npm_lifecycle_event === 'start' && npm_package_name === 'tollbook'
