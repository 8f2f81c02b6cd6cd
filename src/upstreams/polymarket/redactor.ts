/** A shorter one guards nothing, and its letters stand in ordinary words. */
const MIN_SECRET_CHARS = 8

/** Takes secrets out of a text that others wrote. */
export function redactorOf(secrets: () => readonly (string | undefined)[]): (text: string) => string {
  return (text) =>
    secrets().reduce<string>(
      (shown, each) => (each && each.length >= MIN_SECRET_CHARS ? shown.replaceAll(each, '[secret]') : shown),
      text,
    )
}
