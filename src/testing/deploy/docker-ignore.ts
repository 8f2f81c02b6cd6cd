/** Whether a path of the build's folder is kept from the image. As in Docker, the last pattern that fits decides. */
export function parseDockerIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: toPattern(line.replace(/^!/, '')) }))
  return (path) => {
    const rule = rules.findLast(({ pattern }) => pattern.test(path))
    return rule !== undefined && !rule.isKept
  }
}

/** A pattern fits a path and all that is below it. */
function toPattern(glob: string): RegExp {
  const source = glob
    .split('/')
    .map((part) => (part === '**' ? '(?:[^/]+/)*' : `${toSource(part)}/`))
    .join('')
    .replace(/\/$/, '')
  return new RegExp(`^${source}(?:/.*)?$`)
}

const toSource = (part: string) => part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
