import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A process full of viewers. It is told `watch N`, `stare N`, `count`, `probe` or `leave` on a line, and answers each with a line of JSON. */
const [host = '', port = '', path = ''] = process.argv.slice(2)
/** As many as one client may open; each group comes from a loopback network of its own. */
const PER_ADDRESS = 10
const END = '\n\n'

let sockets: Socket[] = []
let events = 0
let bytes = 0
let refused = 0

for await (const line of createInterface({ input: process.stdin })) {
  const [order, count] = line.split(' ')
  if (order === 'watch') await gather(Number(count), watch)
  if (order === 'stare') await gather(Number(count), stare)
  if (order === 'probe') await probe()
  if (order === 'leave') leave()
  process.stdout.write(`${JSON.stringify({ viewers: sockets.length, events, bytes, refused })}\n`)
}
leave()

async function gather(count: number, begin: (socket: Socket) => void): Promise<void> {
  for (let n = 0; n < count; n++) await open(sockets.length, begin)
}

/** Resolves with the head of the reply. */
function open(at: number, begin: (socket: Socket) => void): Promise<void> {
  const group = Math.floor(at / PER_ADDRESS)
  const localAddress = `127.1.${group % 256}.1`
  const socket = connect({ host, port: Number(port), localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)
  return new Promise((done) => {
    socket.once('data', (head: Buffer) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 200')) refused++
      begin(socket)
      done()
    })
  })
}

function watch(socket: Socket): void {
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    // An event a second leaves in one write, so its end is the end of a chunk.
    if (chunk.subarray(-END.length).toString('latin1') === END) events++
  })
}

/** One more from the first address: refused as long as the others hold their places. */
async function probe(): Promise<void> {
  refused = 0
  const last = sockets.length
  await open(0, (socket) => void socket.destroy())
  sockets.length = last
}

/** Never reads again. */
function stare(socket: Socket): void {
  socket.pause()
}

function leave(): void {
  for (const socket of sockets) socket.destroy()
  sockets = []
}
