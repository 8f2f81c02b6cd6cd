/** The parts of a ccxt pro exchange that we lean on beyond its documented methods. */
export type CcxtSocket = {
  url: string
  subscriptions: Record<string, unknown>
  futures: Record<string, unknown>
  reject(error: unknown, messageHash: string): unknown
  send(message: unknown): Promise<unknown>
  onError(error: unknown): void
  close(): unknown
}
export type CcxtStreams = {
  clients: Record<string, CcxtSocket>
  orderbooks: Record<string, unknown>
  client(url: string): CcxtSocket
  handleMessage(socket: CcxtSocket, message: unknown): void
  log(...parts: unknown[]): void
}

/**
 * Puts `admit` between the socket and ccxt's own handlers, which take broken fields for zeros or throw, and a throw
 * there rejects every watch on that socket. Also closes two leaks: a subscribe that is sent while the socket goes
 * down rejects a promise nobody holds, and a socket that was given up is read until it has closed.
 */
export function guardExchange(
  exchange: CcxtStreams,
  admit: (socket: CcxtSocket, message: unknown) => boolean,
): void {
  const handle = exchange.handleMessage.bind(exchange)
  exchange.handleMessage = (socket, message) => {
    if (exchange.clients[socket.url] === socket && admit(socket, message)) handle(socket, message)
  }
  const connect = exchange.client.bind(exchange)
  const known = new WeakSet<CcxtSocket>()
  exchange.client = (url) => {
    const socket = connect(url)
    if (!known.has(socket)) holdSends(socket)
    known.add(socket)
    return socket
  }
  // ccxt prints frames that are not JSON to the console; `admit` sees and counts them.
  exchange.log = () => {}
}

export function socketsWith(exchange: CcxtStreams, subscription: string): readonly CcxtSocket[] {
  return Object.values(exchange.clients).filter((socket) => subscription in socket.subscriptions)
}

/** As ccxt does itself when a pong is missing: reject what waits, forget the socket, close it. */
export function dropSocket(socket: CcxtSocket): void {
  socket.onError(new Error('no data'))
  socket.close()
}

/** The next watch subscribes anew; one that waits already is woken by a rejection. */
export function unsubscribe(socket: CcxtSocket, subscription: string): void {
  delete socket.subscriptions[subscription]
  // Without a waiter ccxt would keep the rejection for the next watch.
  if (subscription in socket.futures) socket.reject(new Error('resync'), subscription)
}

function holdSends(socket: CcxtSocket): void {
  const send = socket.send.bind(socket)
  socket.send = (message) => {
    const sent = send(message)
    sent.catch(() => {})
    return sent
  }
}
