/** Takes whatever it is sent and forgets it. */
import { createServer } from 'node:http'
import { announce } from '../../harness/servers/announce.ts'

announce(
  createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  }),
)
