/** `node:http` and nothing else: copies captured replies, the least that any server on it has to do. */
import { createServer } from 'node:http'
import { announce } from '../../harness/servers/announce.ts'
import { readJob } from '../job.ts'

const replies = new Map(Object.entries(readJob().replies).map(([id, reply]) => [`/${id}`, reply]))

announce(
  createServer((request, response) => {
    const reply = replies.get(request.url ?? '')
    if (!reply) return void response.writeHead(404, { 'Content-Length': 0 }).end()
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body)
  }),
)
