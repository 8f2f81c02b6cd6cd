/** Express ships without types; this is all of it that the benchmark uses. */
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Reply = { type(name: string): Reply; send(body: string): void }
  type App = {
    (request: IncomingMessage, response: ServerResponse): void
    set(name: 'etag', value: false): void
    disable(name: 'x-powered-by'): void
    use(middleware: (...args: never[]) => unknown): void
    get(path: string, handler: (request: IncomingMessage, response: Reply) => void): void
  }
  function express(): App
  export = express
}
