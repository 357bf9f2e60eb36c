/** Languages that a file's name tells, and the grammar of each, loaded when it is needed. */
import type { LanguageRegistration } from "shiki/core"

export type Grammar = () => Promise<{ readonly default: ReadonlyArray<LanguageRegistration> }>

const GRAMMARS: ReadonlyArray<readonly [endings: string, grammar: Grammar]> = [
  ["bat cmd", () => import("shiki/dist/langs/bat.mjs")],
  ["c h", () => import("shiki/dist/langs/c.mjs")],
  ["cc cpp cxx hh hpp hxx ino", () => import("shiki/dist/langs/cpp.mjs")],
  ["cs", () => import("shiki/dist/langs/csharp.mjs")],
  ["css", () => import("shiki/dist/langs/css.mjs")],
  ["dart", () => import("shiki/dist/langs/dart.mjs")],
  ["diff patch", () => import("shiki/dist/langs/diff.mjs")],
  ["dockerfile containerfile", () => import("shiki/dist/langs/docker.mjs")],
  ["env", () => import("shiki/dist/langs/dotenv.mjs")],
  ["ex exs", () => import("shiki/dist/langs/elixir.mjs")],
  ["go", () => import("shiki/dist/langs/go.mjs")],
  ["gql graphql graphqls", () => import("shiki/dist/langs/graphql.mjs")],
  ["hs", () => import("shiki/dist/langs/haskell.mjs")],
  ["hcl tf tfvars", () => import("shiki/dist/langs/hcl.mjs")],
  ["cfg conf desktop editorconfig ini properties service", () => import("shiki/dist/langs/ini.mjs")],
  ["java", () => import("shiki/dist/langs/java.mjs")],
  ["cjs js mjs", () => import("shiki/dist/langs/javascript.mjs")],
  ["json5 jsonc", () => import("shiki/dist/langs/json5.mjs")],
  ["jsx", () => import("shiki/dist/langs/jsx.mjs")],
  ["jl", () => import("shiki/dist/langs/julia.mjs")],
  ["kt kts", () => import("shiki/dist/langs/kotlin.mjs")],
  ["bib cls sty tex", () => import("shiki/dist/langs/latex.mjs")],
  ["less", () => import("shiki/dist/langs/less.mjs")],
  ["lua", () => import("shiki/dist/langs/lua.mjs")],
  ["makefile mk", () => import("shiki/dist/langs/make.mjs")],
  ["php", () => import("shiki/dist/langs/php.mjs")],
  ["pl pm", () => import("shiki/dist/langs/perl.mjs")],
  ["ps1 psd1 psm1", () => import("shiki/dist/langs/powershell.mjs")],
  ["proto", () => import("shiki/dist/langs/proto.mjs")],
  ["py pyi pyw", () => import("shiki/dist/langs/python.mjs")],
  ["r", () => import("shiki/dist/langs/r.mjs")],
  ["gemfile rakefile rb", () => import("shiki/dist/langs/ruby.mjs")],
  ["rs", () => import("shiki/dist/langs/rust.mjs")],
  ["sc scala", () => import("shiki/dist/langs/scala.mjs")],
  ["sass scss", () => import("shiki/dist/langs/scss.mjs")],
  ["bash sh zsh", () => import("shiki/dist/langs/shellscript.mjs")],
  ["sql", () => import("shiki/dist/langs/sql.mjs")],
  ["svelte", () => import("shiki/dist/langs/svelte.mjs")],
  ["swift", () => import("shiki/dist/langs/swift.mjs")],
  ["toml", () => import("shiki/dist/langs/toml.mjs")],
  ["tsx", () => import("shiki/dist/langs/tsx.mjs")],
  ["cts mts ts", () => import("shiki/dist/langs/typescript.mjs")],
  ["vue", () => import("shiki/dist/langs/vue.mjs")],
  ["plist rss xml xsd xsl xslt", () => import("shiki/dist/langs/xml.mjs")],
  ["yaml yml", () => import("shiki/dist/langs/yaml.mjs")]
]

const known = new Map(GRAMMARS.flatMap(([endings, grammar]) => endings.split(" ").map((ending) => [ending, grammar] as const)))

/** A name that is a language's own, such as `Makefile`; a text without an ending was given one. */
const NAMED = /^(\w+file)(?:\.txt)?$/i

export const grammarOf = (name: string): Grammar | undefined =>
  known.get((NAMED.exec(name)?.[1] ?? name.slice(name.lastIndexOf(".") + 1)).toLowerCase())
