/**
 * Stands in for `react-style-singleton`, with which dialogs keep the page behind them from scrolling: it writes a
 * <style>, which the policy (CSP) of this app's page forbids. An adopted sheet does the same, on any host, without a
 * nonce.
 */
import { useEffect } from "react"

interface RulesProps {
  readonly styles: string
  readonly dynamic?: boolean
}

/** Rules that apply while something that needs them is shown. */
export const styleSingleton = () => {
  const sheet = new CSSStyleSheet()
  let shown = 0
  const show = (styles: string): void => {
    if (++shown > 1) return
    sheet.replaceSync(styles)
    document.adoptedStyleSheets.push(sheet)
  }
  const hide = (): void => {
    if (--shown === 0) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
  return function Rules({ dynamic, styles }: RulesProps) {
    useEffect(() => {
      show(styles)
      return hide
    }, [dynamic && styles])
    return null
  }
}
