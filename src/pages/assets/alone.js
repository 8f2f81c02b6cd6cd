/**
 * One thing at a time: what is asked for while something is under way is dropped. Buttons are aria-disabled meanwhile,
 * not disabled: one that is switched off loses the keyboard's focus.
 * @param {() => Iterable<Element>} buttons
 */
export function createAlone(buttons) {
  let isBusy = false
  const mark = (value) => {
    isBusy = value
    for (const button of buttons()) button.ariaDisabled = String(value)
  }
  /** @param {() => unknown} work */
  return async (work) => {
    if (isBusy) return
    mark(true)
    try {
      await work()
    } finally {
      mark(false)
    }
  }
}
