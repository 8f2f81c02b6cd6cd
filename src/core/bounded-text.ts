/** The body of a reply; undefined where it is longer than `limitBytes`, counted after decompression. */
export async function readBoundedBytes(reply: Response, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > limitBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same as text. */
export async function readBoundedText(reply: Response, limitBytes: number): Promise<string | undefined> {
  return (await readBoundedBytes(reply, limitBytes))?.toString('utf8')
}
