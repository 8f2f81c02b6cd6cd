import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import type { OpenSocket } from '../../feeds/open-socket.ts'

/** Connections that a test opens, feeds and closes by hand. */
export type ScriptedSockets = {
  openSocket: OpenSocket
  /** All that were ever started, oldest first. */
  all: readonly ScriptedSocket[]
  last(): ScriptedSocket
}

export type ScriptedSocket = {
  sent: readonly string[]
  isEnded(): boolean
  accept(): void
  say(message: unknown): void
  close(code: number): void
}

export function createScriptedSockets(): ScriptedSockets {
  const all: ScriptedSocket[] = []
  return {
    openSocket() {
      const { socket, script } = createScriptedSocket()
      all.push(script)
      return socket
    },
    all,
    last: () => all.at(-1) ?? fail(),
  }
}

function fail(): never {
  throw new Error('nothing was connected to')
}

const OPEN = 1

function createScriptedSocket(): { socket: WebSocket; script: ScriptedSocket } {
  const events = new EventEmitter()
  const sent: string[] = []
  let readyState = 0
  const end = (code: number) => {
    if (readyState > OPEN) return
    readyState = 3
    events.emit('close', code)
  }
  const socket = Object.assign(events, {
    OPEN,
    send: (text: string) => sent.push(text),
    terminate: () => end(1006),
  })
  Object.defineProperty(socket, 'readyState', { get: () => readyState })
  const script = {
    sent,
    isEnded: () => readyState > OPEN,
    accept() {
      readyState = OPEN
      events.emit('open')
    },
    say: (message: unknown) =>
      void events.emit('message', typeof message === 'string' ? message : JSON.stringify(message), false),
    close: end,
  }
  return { socket: socket as unknown as WebSocket, script }
}
