/** One instruction, without comments and with its lines joined. Flags such as `--from` stand apart. */
export type Instruction = { word: string; flags: Readonly<Record<string, string>>; text: string }
export type Stage = { image: string; name: string | undefined; instructions: readonly Instruction[] }

/** As much of the format as our Dockerfile uses; anything else is an error, not a guess. */
export function parseDockerfile(text: string): Stage[] {
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = []
  for (const line of joinLines(text)) {
    const instruction = parseInstruction(line)
    if (instruction.word === 'FROM') {
      const [image = '', as, name] = instruction.text.split(/\s+/)
      stages.push({ image, name: as?.toUpperCase() === 'AS' ? name : undefined, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (!stage) throw new Error(`${line}: stands before FROM`)
      stage.instructions.push(instruction)
    }
  }
  return stages
}

function joinLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'))
  return lines
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const WORDS = [
  ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'VOLUME', 'EXPOSE', 'USER'],
  ...['STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
]

function parseInstruction(line: string): Instruction {
  const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
  if (!WORDS.includes(word)) throw new Error(`${line}: an instruction that is not understood here`)
  const flags: Record<string, string> = {}
  const text = rest.replace(/^(?:--[\w-]+=\S+\s+)+/, (found) => {
    for (const [, name = '', value = ''] of found.matchAll(/--([\w-]+)=(\S+)/g)) flags[name] = value
    return ''
  })
  return { word, flags, text: text.trim() }
}

/** The words of `ENTRYPOINT ["a", "b"]`; the form that needs a shell is an error. */
export function wordsOf(text: string): string[] {
  const words: unknown = JSON.parse(text)
  if (!Array.isArray(words)) throw new Error(`${text}: must be a list, so that no shell is needed`)
  return words.map(String)
}

/** Name and value pairs of `ENV`. */
export function variablesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)]
  return Object.fromEntries(pairs.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']))
}
