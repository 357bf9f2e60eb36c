/** Pure functions of the data viewer: rows in bytes and in text, types, filters, sorting, paths, trees and faults in JSON. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { dialectOf, rowsOf } from "../../src/domain/projects/documents/delimited.ts"
import { indented } from "../../src/domain/projects/documents/indented.ts"
import { besideOf, likeness } from "../../web/viewer/kinds/data/table/beside.ts"
import { CsvSource } from "../../web/viewer/kinds/data/table/csv-source.ts"
import { testOf } from "../../web/viewer/kinds/data/table/filters.ts"
import { heightsOf } from "../../web/viewer/kinds/data/heights.ts"
import { faultOf, MORE } from "../../web/viewer/kinds/data/json/json-fault.ts"
import { saysTwice } from "../../web/viewer/kinds/data/json/json-names.ts"
import { inDigits, marked, NumberWatch } from "../../web/viewer/kinds/data/json/json-numbers.ts"
import { read, readLines } from "../../web/viewer/kinds/data/json/json-reading.ts"
import { pathTo, saying, search } from "../../web/viewer/kinds/data/json/json-search.ts"
import { besideOf as valuesBeside, movedTo, valueText } from "../../web/viewer/kinds/data/json/json-places.ts"
import { isFlat, isUniform, jsonSource, recordsOf } from "../../web/viewer/kinds/data/json/json-source.ts"
import { shortOf } from "../../web/viewer/kinds/data/json/json-short.ts"
import { JsonTree } from "../../web/viewer/kinds/data/json/json-tree.ts"
import { fitted, pathOf, pathText } from "../../web/viewer/kinds/data/json/paths.ts"
import { inUtf8 } from "../../web/viewer/kinds/data/ranges.ts"
import { sampleOf, shown } from "../../web/viewer/kinds/data/table/source.ts"
import type { Path } from "../../web/viewer/kinds/data/json/paths.ts"
import type { Query } from "../../web/viewer/kinds/data/table/source.ts"
import { Splitter } from "../../web/viewer/kinds/data/table/splitter.ts"
import { TableView } from "../../web/viewer/kinds/data/table/table-view.ts"
import { tsv } from "../../web/viewer/kinds/data/table/tsv.ts"
import { shapeOf } from "../../web/viewer/kinds/data/table/values.ts"
import { widestOf, widthOf } from "../../web/viewer/kinds/data/table/widths.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Strictly by RFC 4180, every cell in quotes. */
const written = (rows: ReadonlyArray<ReadonlyArray<string>>, sign: string, end: string): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll("\"", "\"\"")}"`).join(sign)).join(end)

const pieces = fc.array(fc.constantFrom("a", ",", ";", "\t", "\"", "\"\"", "\n", "\r", "\r\n", " ", "é", "東", "😀", "1"), { maxLength: 60 }).map((all) => all.join(""))

const viewOf = (text: string): TableView => {
  const source = new CsvSource(text.length)
  source.append(bytes(text))
  source.end()
  const view = new TableView(source)
  view.query = { ...view.query, header: source.dialect.header }
  view.learn()
  return view
}
const seen = async (view: TableView, query: Partial<Query>, column = 0): Promise<Array<string>> => {
  await view.set({ header: view.query.header, text: "", filters: [], ...query })
  return Array.from({ length: view.count }, (_, at) => view.source.row(view.record(at))[column] ?? "")
}

describe("delimited text", () => {
  it("text written by RFC 4180 reads back unchanged", () => {
    fc.assert(fc.property(
      fc.array(fc.array(fc.string({ unit: fc.constantFrom("a", "\"", ",", "\n", "\r", " ", "ß") }), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(",", ";", "\t", "|"), fc.constantFrom("\n", "\r\n", "\r"),
      (rows, sign, end) => assert.deepStrictEqual(rowsOf(written(rows, sign, end), sign), rows)
    ))
  })

  it("has no row for the line that tells a spreadsheet the delimiter, however it arrives", async () => {
    const view = viewOf("sep=;\r\nname;price\r\nB;2,75\r\nA;1,50\r\n")
    assert.deepStrictEqual([view.total, view.source.width(), view.source.row(0)], [2, 2, ["name", "price"]])
    assert.deepStrictEqual(await seen(view, { sort: { column: 0, down: false } }), ["A", "B"])
    const nothing = viewOf("sep=;\r\n")
    assert.deepStrictEqual([nothing.source.count(), nothing.total], [0, 0])
  })

  it("its bytes, however they arrive, have the rows that its text has", () => {
    fc.assert(fc.property(pieces, fc.integer({ min: 1, max: 7 }), fc.constantFrom(",", ";"), (text, step, sign) => {
      const all = bytes(text)
      const splitter = new Splitter(sign, 0)
      for (let at = 0; at < all.length; at += step) splitter.push(all, at, Math.min(all.length, at + step))
      splitter.end(all.length)
      const starts = [...splitter.starts.subarray(0, splitter.rows), all.length]
      const rows = Array.from({ length: splitter.rows }, (_, row) => rowsOf(new TextDecoder().decode(all.subarray(starts[row], starts[row + 1])), sign))
      assert.deepStrictEqual(rows.map((one) => one[0]), rowsOf(text, sign))
      assert.isTrue(rows.every((one) => one.length === 1))
      if (rows.length > 0) assert.strictEqual(splitter.width, Math.max(...rows.map(([cells]) => cells!.length)))
    }), { numRuns: 500 })
  })

  it("a source read whole or in steps says the same, and tells of a quote that never closes", () => {
    fc.assert(fc.property(pieces, (text) => {
      const source = new CsvSource(1)
      for (const byte of bytes(text)) source.append(Uint8Array.of(byte))
      source.end()
      const rows: Array<ReadonlyArray<string>> = []
      source.each(0, source.count(), (_, cells) => rows.push(cells))
      assert.deepStrictEqual(rows, Array.from({ length: source.count() }, (_, record) => source.row(record)))
    }))
    const source = new CsvSource(10)
    source.append(bytes("a,b\n\"c,d\ne,f\n"))
    assert.isTrue(source.end())
    assert.strictEqual(source.count(), 2)
  })

  it("has its names however many columns there are", () => {
    const wide = (row: (column: number) => string): string => Array.from({ length: 12_000 }, (_, column) => row(column)).join(",")
    const view = viewOf([wide((column) => `col${column}`), ...Array.from({ length: 3 }, () => wide(String))].join("\n"))
    assert.deepStrictEqual([view.query.header, view.total], [true, 3])
  })

  it("its dialect is found", () => {
    assert.deepStrictEqual(dialectOf("name;price\nA;1,50\nB;2,75\n"), { delimiter: ";", start: 0, header: true })
    // A table below lines about it has no names at its top; one without a name for its rows has.
    const paid = "26.11.2026;26.11.2026;Grocer;Food;-12,30\n"
    assert.deepStrictEqual(dialectOf(`Account;Giro\nIBAN;DE02 1203\n\nBooked;Valued;Payee;Purpose;Amount\n${paid.repeat(9)}`), { delimiter: ";", start: 0, header: false })
    assert.isFalse(dialectOf("Report for Q3\nCreated,2024-01-02\n\nname,amount\nA,1\nB,2\n").header)
    assert.isFalse(dialectOf("Sales,,\nFrom 2026-01-01,,\n,,\nRegion,Amount,City\nNorth,1,A\nSouth,2,B\nEast,4,C\n").header)
    assert.isFalse(dialectOf("Sales,,\nRegion,Amount,City\nNorth,1,A\nSouth,2,B\n").header)
    assert.isTrue(dialectOf("\"x\"\n\"1\",5\n\"2\",6\n\n\n").header)
    assert.isFalse(dialectOf("# country codes\n#\nAD\tAndorra\nAE\tEmirates\nAF\tAfghanistan\nAG\tAntigua\n").header)
    assert.isTrue(dialectOf("#CHROM\tPOS\nchr1\t5\nchr2\t6\n").header)
    assert.isTrue(dialectOf("age,score\nAnn,31,0.5\nBob,40,1.5\n").header)
    assert.deepStrictEqual(dialectOf("1\t2\n3\t4\n"), { delimiter: "\t", start: 0, header: false })
    assert.deepStrictEqual(dialectOf("a|b|c\n\"x|y\"|2|3\n"), { delimiter: "|", start: 0, header: true })
    assert.deepStrictEqual(dialectOf("word\nother\n"), { delimiter: ",", start: 0, header: true })
    assert.deepStrictEqual(dialectOf("Name,Age,\nAnn,31,\nBob,40,\n"), { delimiter: ",", start: 0, header: true })
    // A spreadsheet's `sep=` line is no row.
    assert.deepStrictEqual(dialectOf("sep=;\r\nname;price, net\r\nA;1,50\r\nB, C;2,75\r\n"), { delimiter: ";", start: 7, header: true })
    assert.deepStrictEqual(dialectOf("\"SEP=^\"\na^b\n1^2\n"), { delimiter: "^", start: 8, header: true })
    assert.deepStrictEqual(dialectOf("sep=\t"), { delimiter: "\t", start: 5, header: false })
    for (const text of ["sep=ab\n1,2\n", "sep,b\n1,2\n", "sep=\"\n", "a,b\nsep=;\n"]) assert.strictEqual(dialectOf(text).start, 0, text)
    // Commas in numbers separate nothing if semicolons separate every row.
    assert.deepStrictEqual(dialectOf("1,5;2,5\n3,5;4,5\n"), { delimiter: ";", start: 0, header: false })
    for (const one of ["a,b;c\nd,e;f\n", "1,2;3,4\n1,2,3\n", "1,2,3;4\n1,2,3;4\n", "1,2\n3,4\n", "1,\"2;3\"\n4,\"5;6\"\n"]) assert.strictEqual(dialectOf(one).delimiter, ",", one)
    // Years can be column names, above counted figures.
    for (const one of ["Country,2019,2020,2021\nPeru,12,13.5,\nChad,,,2020\nMali,n/a,8,9\nTogo,1,2,3\n", "Country,Code,2020,2015,2010,Note\nPeru,PE,1,2,3,x\n", ",2019,2020\nPeru,1,2\n", "Item;2019;2020\nRent;1,5;2,5\n"]) assert.isTrue(dialectOf(one).header, one)
    for (const one of [
      // No headers: years of birth and marriage; prices; one number; only numbers; years out of order, far apart, repeated.
      "Ada,1984,1991\nBob,1990,1999\n", "Ada,1984,1991\nBob,1990,3\n", "Chair,1999,2050\nTable,2999,3500\n", "Ada,1984\nBob,31\n", "2019,2020,2021\n1,2,3\n",
      "Peru,2019,2017,2020\nChad,1,2,3\n", "Peru,1990,2020\nChad,1,2\n", "Peru,2019,2019\nChad,1,2\n", "Peru,2019,2020,7\nChad,1,2,3\n", "Peru,2019,2020\nChad,n/a,..\n", "Peru,2019,2020\n"
    ]) assert.isFalse(dialectOf(one).header, one)
    // A query that found nothing has names all the same; above nothing but values, names may be missing or repeated.
    for (const one of ["id,name,value\n", "a;b", "x,x,,x\n1,2,3,4\n", "a,a\n1,2", "Region,x,x\nNorth,1,2\n"]) assert.isTrue(dialectOf(one).header, one)
    for (const one of ["", "word\n", "1,2\n", "a,b,a\n", "Ann,Ann\nBob,Bob\n", ",,x\n1,2,y\n", "a,,b\n1,,2\n"]) assert.isFalse(dialectOf(one).header, one)
  })

  it("any encoding becomes UTF-8, without its mark, wherever the pieces are cut", async () => {
    const text = "ä,東\n😀,b"
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])
    const big = Buffer.from(utf16).swap16()
    for (const [body, type, said] of [
      [utf16, "text/csv", text], [big, "text/csv; charset=utf-8", text], [Buffer.from(`\uFEFF${text}`), "text/csv", text],
      [Buffer.from("ä;ö", "latin1"), "text/csv; charset=iso-8859-1", "ä;ö"], [Buffer.from(text), "text/csv; charset=nonsense", text]
    ] as const) {
      const parts = async function*() {
        yield body.subarray(0, 3)
        yield body.subarray(3, 4)
        yield body.subarray(4)
      }
      const out: Array<Uint8Array> = []
      for await (const part of inUtf8(parts(), type)) out.push(part)
      assert.strictEqual(Buffer.concat(out).toString(), said, type)
    }
  })
})

describe("columns", () => {
  it("say what they are", () => {
    for (const [type, ...texts] of [
      ["number", "1", "-2.5", "1,234.50", "3e4", ""], ["number", "1.234,5", "0,75"], ["number", "$1.50", "12 %", "n/a", "4", "5", "6"],
      ["text", "01067", "10115"], ["text", "1", "two"], ["text", "", "-"], ["boolean", "true", "FALSE"],
      ["date", "2024-02-29", "2024-03-01T10:00:00Z"], ["date", "31.12.2024", "1.2.2024"], ["date", "12/31/2024", "01/02/2024"], ["date", "31/12/2024"], ["text", "1.2.3.4"],
      ["date", "01.02.24", "31.1.99"], ["date", "1/31/24", "12/1/99 10:30"], ["number", "(500)", "$(300)", "($1,200.50)", "\u22127"], ["number", "(1.234,5)", "(0,5 %)"],
      ["number", "1'234.50", "12"], ["number", "CHF 12.50", "5 USD", "\u20b91,23,456.00", "-\u20a95"], ["number", "1\u2009234,56 kr", "5,00 kr."], ["number", "5", "#N/A", "."],
      ["date", "1/5/2024 3:45 PM", "10/5/2023 11:00 am"], ["date", "31-12-2023", "05-01-2024"], ["date", "Jan 5, 2024", "December 31, 2023"], ["date", "05-Jan-24", "31 Dec 2023 10:30"], ["date", "2024/01/05", "2023.12.31"],
      ["date", "2024/1/5", "2024-10-5 09:30"], ["date", "2024年1月5日", "2023年12月31日 09:30"], ["date", "28 octobre 2022", "1er août 2022"], ["date", "3. März 2024", "12. Dez. 2023"], ["date", "28 de octubre de 2022", "5 ene 2023"],
      ["date", "Jan 2024", "December 2023"], ["date", "Jan-24", "Dec-23"], ["date", "March", "May"], ["time", "9:05 AM", "12:30 pm"], ["time", "08:07", "13:38:01"],
      ["text", "12-34-56", "01-02-03"], ["text", "INV 001", "INV 002"], ["text", "May", "Jun 5"], ["text", "kr", "USD"],
      ["text", "(0341)", "(030)"], ["text", "\u221201", "\u221202"], ["text", "(a)", "(b)"]
    ] as const) assert.strictEqual(shapeOf(texts).type, type, texts.join())
    assert.strictEqual(shapeOf(["31/12/2024"]).keyOf("2/1/2024"), Date.UTC(2024, 0, 2))
    assert.deepStrictEqual(["01.02.24", "1.2.70", "31.12.69"].map(shapeOf(["01.02.24"]).keyOf), [Date.UTC(2024, 1, 1), Date.UTC(1970, 1, 1), Date.UTC(2069, 11, 31)])
    assert.strictEqual(shapeOf(["1/31/24"]).keyOf("2/1/99"), Date.UTC(1999, 1, 1))
    assert.deepStrictEqual(["(500)", "$(300)", "($1,200.50)", "\u22127", "\u2212$7", "5", "(-5)"].map(shapeOf(["1"]).keyOf), [-500, -300, -1200.5, -7, -7, 5, NaN])
    assert.deepStrictEqual(["CHF -12.50", "$-5", "1'234", "12 USD", "1,23,456", "12,34,5"].map(shapeOf(["1"]).keyOf), [-12.5, -5, 1234, 12, 123456, NaN])
    assert.deepStrictEqual(["12/31/2023 12:01 AM", "12/31/2023 12:01 PM"].map(shapeOf(["12/31/2023"]).keyOf), [Date.UTC(2023, 11, 31, 0, 1), Date.UTC(2023, 11, 31, 12, 1)])
    assert.deepStrictEqual(["Sept. 5, 2024", "Fri, 5 Jan 2024 10:00:00 -0130", "05/Jan/2024:10:00:00 +0200", "5 Foo 2024"].map(shapeOf(["5 Jan 2024"]).keyOf), [Date.UTC(2024, 8, 5), Date.UTC(2024, 0, 5, 11, 30), Date.UTC(2024, 0, 5, 8), NaN])
    assert.deepStrictEqual(["1. März 2024", "5 ene 2024", "1er août 2024", "5 мая 2024"].map(shapeOf(["5 Jan 2024"]).keyOf), [Date.UTC(2024, 2, 1), Date.UTC(2024, 0, 5), Date.UTC(2024, 7, 1), Date.UTC(2024, 4, 5)])
    assert.deepStrictEqual(["2024年1月5日10:30", "2024/1/5"].map(shapeOf(["2024-01-05"]).keyOf), [Date.UTC(2024, 0, 5, 10, 30), Date.UTC(2024, 0, 5)])
    assert.deepStrictEqual(["2024-01-05 10:00:00+02", "2024/01/05"].map(shapeOf(["2024-01-05"]).keyOf), [Date.UTC(2024, 0, 5, 8), Date.UTC(2024, 0, 5)])
    assert.strictEqual(shapeOf(["1.234,5"]).keyOf("1.234,5"), 1234.5)
    for (const space of [" ", "\u00a0", "\u202f"]) assert.strictEqual(shapeOf(["900,00", `1${space}234,50`]).keyOf(`1${space}234,50`), 1234.5)
    assert.strictEqual(shapeOf(["1234567890123456789", "1234567890123456788"]).type, "text")
  })

  it("are judged by a thousand rows, and by fewer where there are very many of them", () => {
    const read = (width: number) => {
      const rows = sampleOf({ count: () => 5_000, width: () => width, row: (record) => [String(record)], each: () => {} }, 1)
      return [rows.length, rows[0]![0], Number(rows.at(-1)![0]) > 4_500] as const
    }
    assert.deepStrictEqual([10, 20_000, 1_000_000].map(read), [[1_000, "1", true], [20, "1", true], [20, "1", true]])
    assert.isBelow(read(1_000)[0], 500)
  })

  it("have room for the widest of their texts, which is not always the longest", () => {
    // Ten digits of 8 px each, as they are drawn.
    assert.isAtLeast(widthOf("0123456789", 320), 80)
    assert.isAbove(widthOf("東京都千代田区", 320), 7 * 13)
    assert.isAtLeast(widthOf("a\nb", 320), widthOf("ab", 320) + 14)
    assert.strictEqual(widestOf(["1,1.1", "22222", "3"], 320), widthOf("22222", 320))
    assert.deepStrictEqual([widestOf([], 320), widestOf(["", "x".repeat(1_000_000)], 320)], [0, 320])
  })

  it("are filtered by words and by comparison", () => {
    const number = shapeOf(["1", "2"])
    const cells = ["9", "10", "1,000", "", "x"]
    const left = (typed: string) => cells.filter(testOf(typed, number) ?? (() => true))
    assert.deepStrictEqual(left("> 9"), ["10", "1,000"])
    assert.deepStrictEqual(left("<=9.0"), ["9"])
    assert.deepStrictEqual(left("= 1000"), ["1,000"])
    assert.deepStrictEqual(left("!=9"), ["10", "1,000", "", "x"])
    assert.deepStrictEqual(left("="), [""])
    assert.deepStrictEqual(left("0"), ["10", "1,000"])
    assert.deepStrictEqual([left(">"), left("  ")], [cells, cells])
    assert.deepStrictEqual(["b", "A", "c"].filter(testOf("> a", shapeOf(["a"]))!), ["b", "c"])
  })

  it("of dates are compared with a day, a month or a year, and every column with a value written in another way", () => {
    const left = (cells: ReadonlyArray<string>, typed: string) => cells.filter(testOf(typed, shapeOf(cells))!)
    const days = ["28.10.2022", "01.02.2023", "15.02.2023", "03.01.2024"]
    assert.deepStrictEqual(left(days, ">2022"), days.slice(1))
    assert.deepStrictEqual(left(days, "= 2023-02"), ["01.02.2023", "15.02.2023"])
    assert.deepStrictEqual(left(days, "=Feb 2023"), ["01.02.2023", "15.02.2023"])
    assert.deepStrictEqual(left(days, "<=2023-02-01"), days.slice(0, 2))
    assert.deepStrictEqual(left(days, "> 1 Feb 2023"), days.slice(2))
    const times = ["2024-03-05T09:00:00Z", "2024-03-05T17:30:00Z", "2024-03-06T00:00:00Z"]
    assert.deepStrictEqual([left(times, "=2024-03-05"), left(times, "<=2024-03-05"), left(times, ">2024-03-05"), left(times, ">2024-03-05 09:00")], [times.slice(0, 2), times.slice(0, 2), times.slice(2), times.slice(1)])
    assert.deepStrictEqual(left(["1.234,50", "999,00", "12,00"], "> 999.50"), ["1.234,50"])
  })

  it("of sizes, of rounded amounts and of lengths of time are sorted by what they amount to", async () => {
    const sorted = (...cells: ReadonlyArray<string>): Promise<Array<string>> => seen(viewOf(`name\tn\n${cells.map((cell) => `${cell}\tx\n`).join("")}`), { sort: { column: 0, down: false } })
    assert.deepStrictEqual(await sorted("1.5 GB", "900 MB", "12 KiB", "0", "1,023 KB", "1 MB"), ["0", "12 KiB", "1,023 KB", "1 MB", "900 MB", "1.5 GB"])
    assert.deepStrictEqual(await sorted("1,5 GB", "900,25 MB", "12 kB"), ["12 kB", "900,25 MB", "1,5 GB"])
    assert.deepStrictEqual(await sorted("4.0K", "512B", "0B", "1.2M", "96K", "1008B"), ["0B", "512B", "1008B", "4.0K", "96K", "1.2M"])
    assert.deepStrictEqual(await sorted("12B", "900M", "1.4B", "30K"), ["30K", "900M", "1.4B", "12B"])
    assert.deepStrictEqual(await sorted("$1.2M", "$900K", "$3.4bn", "-$2M", "$15"), ["-$2M", "$15", "$900K", "$1.2M", "$3.4bn"])
    assert.deepStrictEqual(await sorted("3h 20m", "45m", "1 d 2 h", "90s", "1.5 hours"), ["90s", "45m", "1.5 hours", "3h 20m", "1 d 2 h"])
    assert.deepStrictEqual(await sorted("1:02:03", "3:45", "59:59", "100:00:00"), ["3:45", "59:59", "1:02:03", "100:00:00"])
    const left = (cells: ReadonlyArray<string>, typed: string) => cells.filter(testOf(typed, shapeOf(cells))!)
    assert.deepStrictEqual([left(["1.5 GB", "900 MB"], "> 1 GB"), left(["3h 20m", "45m"], "< 1h"), left(["1:02:03", "3:45"], "> 10m")], [["1.5 GB"], ["45m"], ["1:02:03"]])
    for (const texts of [["10 kg", "5 kg"], ["4A", "4B"], ["3rd", "1st"], ["Q1", "Q2"], ["B", "KB"]]) assert.strictEqual(shapeOf(texts).type, "text", texts.join())
  })

  it("of months and of times of day are sorted as the year and the day go", async () => {
    const sorted = (text: string): Promise<Array<string>> => seen(viewOf(text), { sort: { column: 0, down: false } })
    assert.deepStrictEqual(await sorted("month,n\nApr-24,1\nDec-23,2\nJan-24,3\n"), ["Dec-23", "Jan-24", "Apr-24"])
    assert.deepStrictEqual(await sorted("month,n\nApril,1\nJune,2\nFebruary,3\n"), ["February", "April", "June"])
    assert.deepStrictEqual(await sorted("quarter,n\nQ1 2025,1\nQ4 2024,2\nQ3 2025,3\n"), ["Q4 2024", "Q1 2025", "Q3 2025"])
    assert.deepStrictEqual(["2025-Q3", "FY25 Q3", "Q3/25", "3Q25", "Q3'25", "H2 2025", "2H25", "Q5 2025", "H3 2025"].map(shapeOf(["Q1 2025"]).keyOf),
      [6, 6, 6, 6, 6, 6, 6].map((month) => Date.UTC(2025, month)).concat(NaN, NaN))
    assert.deepStrictEqual(["Q1 2025", "Q2 2025"].filter(testOf("= Q1 2025", shapeOf(["Q1 2025"]))!), ["Q1 2025"])
    assert.deepStrictEqual(await sorted("at,n\n1:30 PM,1\n12:05 AM,2\n9:00 AM,3\n"), ["12:05 AM", "9:00 AM", "1:30 PM"])
  })

  it("are sorted both ways, equals as in the file, what is empty last", async () => {
    const view = viewOf("k,v\nb,2\na,10\nb,1\n,\na,x\nc,\n\"d\",-3\ne,5\nf,6\ng,7\nh,8\ni,9\nj,11\nl,12\n")
    assert.strictEqual(view.shapes[1]!.type, "number")
    assert.deepStrictEqual((await seen(view, { sort: { column: 1, down: false }, text: "" }, 1)).slice(0, 4), ["-3", "1", "2", "5"])
    assert.deepStrictEqual((await seen(view, { sort: { column: 1, down: true } }, 1)).slice(-4), ["-3", "x", "", ""])
    assert.deepStrictEqual((await seen(view, { sort: { column: 0, down: false } }, 1)).slice(0, 4), ["10", "x", "2", "1"])
    assert.deepStrictEqual(await seen(view, { text: "B" }, 1), ["2", "1"])
    assert.deepStrictEqual(await seen(view, { filters: [[0, "=b"], [1, ">1"]] }, 1), ["2"])
    assert.strictEqual(view.indexOf(3), -1)
    assert.strictEqual((await seen(view, {})).length, 14)
  })

  it("sorted by any texts is what a plain stable sort makes of them", async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom("b", "a", "B", "ä", "10", "9", "", "a b", "\"q\""), { minLength: 1, maxLength: 30 }), fc.boolean(), async (cells, down) => {
      const view = viewOf(written([["key", "at"], ["word", "0"], ...cells.map((cell, at) => [cell, String(at)])], ",", "\n"))
      const collator = new Intl.Collator(undefined, { numeric: true })
      const rows = ["word", ...cells].map((cell, at) => ({ cell, at }))
      const sign = down ? -1 : 1
      const wanted = rows.toSorted((a, b) => (a.cell === "" ? 1 : 0) - (b.cell === "" ? 1 : 0) || sign * collator.compare(a.cell, b.cell))
      if (view.shapes[0]!.type === "text") assert.deepStrictEqual(await seen(view, { sort: { column: 0, down } }), wanted.map(({ cell }) => cell))
    }))
  })

  it("a cell is found where its row went in a later version, and said to be gone where nothing says it", () => {
    const view = viewOf("name,v\nx,1\nAda,2\ny,3\nAda,4\nlong,12\n")
    const at = (record: number, column: number, quote: string, prefix?: string, suffix?: string) =>
      view.locate(record, column, { quote, ...(prefix !== undefined && { prefix }), ...(suffix !== undefined && { suffix }) })
    assert.deepStrictEqual([at(2, 0, "Ada"), at(3, 0, "Ada")], [2, 2])
    assert.strictEqual(at(2, 0, "Ada", "", "4"), 4, "the row most like its own")
    assert.deepStrictEqual([at(1, 0, "gone"), at(99, 0, "gone")], [-1, -1])
    assert.strictEqual(at(1, 1, "3", "x"), -1, "its row says something else, and another's 3 is none of it")
    assert.strictEqual(at(5, 1, "1", "long"), -1, "the beginning of another number is no find")
    assert.strictEqual(at(5, 0, "on"), 5, "a few words of its cell, quoted by hand")
    assert.deepStrictEqual([view.locate(3, 1, undefined), at(3, -1, "Ada")], [3, 3])
    const sliced = viewOf(`name\nx\n${"long ".repeat(100)}\n`)
    assert.strictEqual(sliced.locate(1, 0, { quote: "long ".repeat(60) }), 2)
  })

  it("the cell that an anchor means which was written by hand says its quote, or has it, or begins the cells that do: in its row, or the nearest", () => {
    const view = viewOf(`name,city,amount,note\n${Array.from({ length: 90 }, (_, at) => `Person ${at + 1},${at % 2 === 0 ? "Łódź" : "Tokyo"},${at * 37},"note ${at + 1}, about things"`).join("\n")}\n`)
    const at = (quote: string, record?: number, column?: number) => {
      const found = view.seek(record, column, { quote })
      return found && [found.record, found.column]
    }
    assert.deepStrictEqual([at("Person 57"), at(" note 88, about things"), at("note 88"), at("2072", 3), at("207")], [[57, 0], [88, 3], [88, 3], [57, 2], undefined])
    assert.deepStrictEqual([at("Tokyo", 4), at("Tokyo", 5), at("Person 9", 95), at("Person 9", 12, 0)], [[4, 1], [4, 1], [9, 0], [9, 0]])
    assert.deepStrictEqual([at("Person 57,Łódź,2072"), at("| Łódź | 2072 |"), at("7,Łódź"), at(","), at(" ")], [[57, 0], [57, 1], undefined, undefined, undefined])
    assert.deepStrictEqual([at("Person 57", undefined, 3), at("about", undefined, 3)], [undefined, [1, 3]])
  })

  const sheet = ["Ada,10.00,EUR,done", "Beta,20.00,EUR,open", "Cora,30.00,EUR,open", "Dora,40.00,USD,open"]
  const was = sheet[2]!.split(",")
  const cell = { quote: "open", ...besideOf(3, 4, (column) => was[column]!) }
  const later: ReadonlyArray<readonly [string, ReadonlyArray<string>, number]> = [
    ["deleted", sheet.toSpliced(2, 1), -1],
    ["given another state", sheet.with(2, "Cora,30.00,EUR,reopened"), 3],
    ["given a state of its own", sheet.with(2, "Cora,30.00,EUR,done"), -1],
    ["moved", [...sheet.toSpliced(2, 1), sheet[2]!], 4],
    ["moved and changed in part", [...sheet.toSpliced(2, 1), "Cora,35.00,EUR,open"], 4],
    ["changed but for what other rows say too", sheet.with(2, "Corinna,35.00,EUR,open"), -1]
  ]
  for (const [what, rows, record] of later) {
    it(`a cell whose row was ${what} is ${record === -1 ? "gone" : "found"}, however like it other rows are`, () => {
      assert.strictEqual(viewOf(`name,price,currency,state\n${rows.join("\n")}\n`).locate(3, 3, cell), record)
    })
  }

  it("a state in a row whose other cells say what most rows say is none of another row", () => {
    const people = (...names: ReadonlyArray<string>) => viewOf(`name,role,state\n${names.map((name) => `${name},dev,open\n`).join("")}`)
    const anchor = { quote: "open", prefix: "Cora\tdev" }
    assert.deepStrictEqual([people("Ada", "Cora", "Dora").locate(2, 2, anchor), people("Ada", "Dora").locate(2, 2, anchor), people("New", "Ada", "Cora").locate(2, 2, anchor)], [2, -1, 3])
  })

  it("where another row like it took its place, a cell is in the one row that says all of it", () => {
    const paid = (...amounts: ReadonlyArray<string>) => viewOf(`amount,currency\n${amounts.map((amount) => `${amount},EUR\n`).join("")}`).locate(2, 0, { quote: "20", suffix: "EUR" })
    assert.deepStrictEqual([paid("10", "15", "20"), paid("10", "25"), paid("20", "25", "20"), paid("20", "20")], [3, -1, -1, 2])
    const answers = (...rows: ReadonlyArray<string>) => viewOf(`name,answer\n${rows.join("\n")}\n`).locate(1, 1, { quote: "yes", prefix: "Ann" })
    const others = Array.from({ length: 8 }, (_, at) => `Bob${at},yes`)
    assert.deepStrictEqual([answers("Ann,no", "Ann,yes"), answers("Ann,no", "Ann,yes", ...others)], [2, -1], "what most rows say is no sign of it")
  })

  it("cells beside it are known by what an anchor keeps of them: cut, long, or with tabs in them", () => {
    const row = ["far away", "z".repeat(400), "a\tb", "", "open", "😀".repeat(40), "near", "it", "x", "y"]
    const { prefix, suffix } = besideOf(4, row.length, (column) => shown(row[column]))
    assert.deepStrictEqual([prefix.length, suffix.length], [64, 64])
    assert.deepStrictEqual(likeness(row, 4, { quote: "", prefix, suffix }), { alike: 4, whole: 4 })
    assert.deepStrictEqual(likeness(row.with(5, "other"), 4, { quote: "", prefix, suffix }), { alike: 3, whole: 4 })
  })
})

it("lists longer than a browser scrolls are to scale, from the first to the last", () => {
  for (const count of [10, 100_000, 5_000_000]) {
    const { offset, scrollTop, tall } = heightsOf(count, 32, 600, 16)
    assert.isAtMost(tall, 12_000_000)
    assert.closeTo(offset(Math.max(0, tall - 600)), Math.max(0, count * 32 + 16 - 600), 0.01)
    assert.closeTo(offset(scrollTop(1234)), 1234, 1e-6)
  }
})

it("cells are copied as data: quoted where they must be, and nothing put before them", () => {
  assert.strictEqual(tsv([["=1+1"]]), "=1+1")
  assert.strictEqual(tsv([["=A1", "a\tb"], ["say \"hi\"", "two\nlines"]]), "=A1\t\"a\tb\"\n\"say \"\"hi\"\"\"\t\"two\nlines\"")
})

describe("JSON", () => {
  it("paths are read as they were written", () => {
    assert.strictEqual(pathText(["items", 3, "odd key", "a.b"]), `$.items[3]["odd key"]["a.b"]`)
    fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.nat({ max: 1e6 }))), (path) => assert.deepStrictEqual(pathOf(pathText(path)), path)))
    // As people write them who know other ways.
    const at = (path: Path) => new JsonTree({ items: [{ größe: { "odd-key": 1 } }], "3": 2, "a/b": 3 }).value(path)
    for (const text of ["$['items'][0]['größe'].odd-key", "items[0].größe.odd-key", ".items.0.größe.odd-key", "/items/0/größe/odd-key"]) {
      assert.strictEqual(pathText(fitted(pathOf(text)!, at)), `$.items[0]["größe"]["odd-key"]`, text)
    }
    assert.deepStrictEqual(["$[3]", "/a~1b", "$['a\\'b']"].map((text) => fitted(pathOf(text)!, at)), [["3"], ["a/b"], ["a'b"]])
    for (const text of ["", "#a", "a > b", "$.", "$[x]", "$.a b", "$[\"a]"]) assert.isUndefined(pathOf(text), text)
  })

  it("a fault is reported where the parser stops, and valid text has none", () => {
    fc.assert(fc.property(fc.json(), (text) => assert.isUndefined(faultOf(text))))
    fc.assert(fc.property(fc.json(), fc.nat(), fc.constantFrom(",", "]", "}", "\"", ":", "x", "\\", "\n", ""), (text, place, sign) => {
      const at = place % text.length
      const other = text.slice(0, at) + sign + text.slice(at + 1)
      let valid = true
      try {
        JSON.parse(other)
      } catch {
        valid = false
      }
      assert.strictEqual(faultOf(other) === undefined, valid, other)
    }), { numRuns: 500 })
    assert.deepStrictEqual(faultOf("{\n  \"a\": [1, 2,,]\n}"), { at: 15, why: "A value is missing here" })
    for (const one of ["// Words\n{}", "{}\n// Words", "[1, // Words\n2]"]) assert.deepStrictEqual(faultOf(one), { at: one.indexOf("/"), why: "JSON has no comments" })
    assert.deepStrictEqual(faultOf("[1"), { at: 2, why: "The file ends too early" })
    assert.deepStrictEqual(readLines("{\"a\":1}\n\n{\"a\" 2}\n", false), { why: "A colon is missing here", line: 3, column: 6 })
    assert.deepStrictEqual(readLines("1\n[2\n[3]\n", false), { why: "The line ends too early", line: 2, column: 3 })
    assert.deepStrictEqual(readLines("1\r\n[2]\n", false), { value: [1, [2]] })
    // Lines are often in a file that is called JSON; where one of them is not, that is the fault.
    assert.deepStrictEqual(read("{\"a\":1}\n{\"a\":2}\n", false), { value: [{ a: 1 }, { a: 2 }] })
    assert.deepStrictEqual(read("[1]\n[2]\n[3,]\n", false), { why: "A value is missing here", line: 3, column: 4 })
    for (const [text, line] of [["{}\n]", 2], ["{\n}\n{\n}", 3], ["1 2\n", 1]] as const) {
      assert.deepInclude(read(text, false), { why: MORE, line })
    }
  })

  const looked = (text: string, step = text.length): boolean => {
    const watch = new NumberWatch()
    const all = bytes(text)
    for (let at = 0; at < all.length; at += step) watch.push(all.subarray(at, at + step))
    return watch.end()
  }

  it("numbers keep the digits that the file has", () => {
    const text = `{"id":1234567890123456789,"list":[19.90,1e400,-0,1E2,0.0000001,100,-7.25,0.1000000000000000055],"text":"19.90","odd":{"2.0":1.50}}`
    for (const step of [1, 2, 3, 1_000]) assert.isTrue(looked(text, step))
    const result = read(text, true)
    const tree = new JsonTree("value" in result ? result.value : undefined)
    tree.openAll(100)
    const seen = tree.rows.map((_, at) => tree.row(at)!).filter(({ type }) => type === "number").map(({ text }) => text)
    assert.deepStrictEqual(seen, ["1234567890123456789", "19.90", "1e400", "-0", "1E2", "0.0000001", "100", "-7.25", "0.1000000000000000055", "1.50"])
    assert.strictEqual(tree.row(tree.reveal(["text"]))!.type, "string")
    assert.strictEqual(valueText(tree.value(["list", 0])), "19.90")
    assert.strictEqual(valueText(tree.value(["odd"])), "{\n  \"2.0\": 1.50\n}")
    assert.deepStrictEqual(movedTo(["list", 3], { quote: "19.90" }, (path) => tree.value(path)), ["list", 0])
    assert.strictEqual([...search(tree.rows[0]!.value, "19.90")].filter((one) => one !== undefined).length, 2)
    const lines = readLines("19.90\n{\"a\":1.0}\n", true)
    assert.deepStrictEqual("value" in lines && lines.value.map(valueText), ["19.90", "{\n  \"a\": 1.0\n}"])
    assert.deepStrictEqual(read("[1.0, 2.0,, 3]", true), { why: "A value is missing here", line: 1, column: 11 })
  })

  it("a name that an object says twice is told of, wherever it is; names that other objects say too are not", () => {
    const twice = (text: string): boolean => saysTwice(text, JSON.parse(text))
    for (const text of [`{"a":1,"b":2,"a":1}`, `[[{"x":{"q":[{}],"q" : {}}}]]`, `{"a":{"b":1},"a":{"b":2}}`, `{"__proto__":1,"__proto__":2}`]) assert.isTrue(twice(text), text)
    for (const text of [`{"a":"x:\\"","b:\\"":1}`, `[{"a":1},{"a":{"a":1}}]`, `{"__proto__":1,"constructor":{"2":"b:c","":0}}`, `"a:b"`, "1", "null"]) assert.isFalse(twice(text), text)
    const deep = `${"[".repeat(5_000)}{"a":1}${"]".repeat(5_000)}`
    assert.isFalse(twice(deep))
    fc.assert(fc.property(fc.json(), (text) => !twice(text)))
  })

  it("numbers in records are sorted and filtered as numbers, and shown as they are", async () => {
    const result = read(`[{"price":19.90,"id":90071992547409931},{"price":5.00,"id":90071992547409930},{"price":1e400,"id":1},{"price":{"net":1.0},"id":2}]`, true)
    assert.isTrue("value" in result && recordsOf(result.value) === result.value && !isFlat(result.value as []) && isFlat((result.value as []).slice(0, 3)))
    assert.isUndefined(recordsOf([{ a: 1 }, 2]))
    assert.deepStrictEqual(recordsOf({ count: 1, next: null, tags: ["a"], results: [{ a: 1 }] }), [{ a: 1 }])
    assert.isUndefined(recordsOf({ nodes: [{ a: 1 }], links: [{ b: 2 }] }))
    assert.isTrue(isUniform([{ a: 1, b: 2 }, { a: 1 }, { b: 1, a: null }]))
    assert.isFalse(isUniform([{ a: 1, b: 2, c: 3 }, { d: 1 }]))
    const view = new TableView(jsonSource((result as { readonly value: Array<unknown> }).value.slice(0, 3)))
    view.query = { ...view.query, header: true }
    view.learn()
    assert.deepStrictEqual(view.shapes.map(({ type }) => type), ["number", "text"])
    assert.deepStrictEqual(await seen(view, { sort: { column: 0, down: false } }), ["5.00", "19.90", "1e400"])
    assert.deepStrictEqual(await seen(view, { filters: [[0, "=19.9"]] }), ["19.90"])
    assert.deepStrictEqual(await seen(view, { filters: [[0, "=1e400"]] }), ["1e400"])
    assert.deepStrictEqual(await seen(view, { sort: { column: 1, down: false } }, 1), ["1", "90071992547409930", "90071992547409931"])
    assert.strictEqual(jsonSource((result as { readonly value: Array<unknown> }).value).row(4)[0], "{\"net\":1.0}")
  })

  it("inserted marks neither make invalid text valid JSON nor change a value, and are inserted only if needed", () => {
    const number = fc.constantFrom("1.0", "-0", "1e5", "1E+2", "0.00000012", "12345678901234567890", "0.1", "-3", "100", "01.0", "1.", "-", "--1.0", "0.30000000000000004", "1000000.5")
    const piece = fc.oneof(number, fc.constantFrom("[", "]", "{", "}", ",", ":", "\"a\"", "\"1.0\"", "\"\\\"1.0\"", "\"", " ", "\n", "true", "null", "x"))
    const parsed = (text: string): unknown => {
      try {
        return JSON.parse(text, (_, value: unknown) => value === 0 ? 0 : value)
      } catch {
        return undefined
      }
    }
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (pieces, step) => {
      const text = pieces.join("")
      assert.deepStrictEqual(parsed(inDigits(marked(text))), parsed(text))
      assert.strictEqual(parsed(marked(text)) === undefined, parsed(text) === undefined, text)
      if (parsed(text) !== undefined && marked(text) !== text) assert.isTrue(looked(text, step), text)
    }), { numRuns: 3_000 })
    fc.assert(fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.bigInt()), (value) => {
      const text = `[${value}]`
      assert.strictEqual(marked(text) !== text, String(Number(String(value))) !== String(value))
      if (marked(text) !== text) assert.isTrue(looked(text))
    }), { numRuns: 2_000 })
    for (const text of ["[1,2.5,-3,0,10,true,false,\"1.0\",\"a\\\"1.0\",1234567890.1234]", "{\"1.0\":1}"]) assert.isFalse(looked(text), text)
  })

  it("a tree unfolds in parts of a hundred, to any place and depth", () => {
    const tree = new JsonTree({ list: Array.from({ length: 12_345 }, (_, at) => ({ at })), none: null, "__proto__x": 1 })
    tree.toggle(1)
    assert.deepStrictEqual(tree.row(2), { id: tree.rows[2]!.id, key: undefined, depth: 2, type: "part", text: "0 … 9999", size: 10_000, place: [1, 2], open: false })
    const index = tree.reveal(["list", 12_300, "at"])
    assert.deepStrictEqual([tree.row(index)!.text, tree.path(index)], ["12300", ["list", 12_300, "at"]])
    assert.isBelow(tree.rows.length, 300)
    assert.strictEqual(tree.reveal(["list", 12_345]), -1)
    tree.closeAll()
    assert.strictEqual(tree.rows.length, 4)

    const depth = 10_000
    const deep = new JsonTree(JSON.parse("[".repeat(depth) + "7" + "]".repeat(depth)))
    const bottom = deep.reveal(Array.from({ length: depth }, () => 0))
    assert.deepStrictEqual([deep.row(bottom)!.text, deep.row(bottom)!.depth], ["7", depth])
    assert.strictEqual([...search(deep.rows[0]!.value, "7")].filter((one) => one !== undefined).length, 1)
  })

  it("a list holds its items alone: what else a program may ask of it has no place", () => {
    const tree = new JsonTree({ list: [1, 2], length: 3 })
    assert.deepStrictEqual([["list", "length"], ["list", 2], ["list", "at"]].map((path) => [tree.reveal(path), tree.value(path)]), [[-1, undefined], [-1, undefined], [-1, undefined]])
    assert.deepStrictEqual([tree.value(["length"]), tree.value(["list", 1])], [3, 2])
  })

  it("a short document is shown whole, a longer one by its first level, or the first part of its list", () => {
    const shown = (value: unknown): number => {
      const tree = new JsonTree(value)
      tree.openShort(100)
      return tree.rows.length
    }
    assert.strictEqual(shown({ a: { b: [1, { c: null }] }, d: {}, e: [] }), 8)
    assert.strictEqual(shown({ a: Array.from({ length: 98 }, () => 0) }), 100)
    assert.strictEqual(shown({ a: Array.from({ length: 99 }, () => 0) }), 2)
    assert.strictEqual(shown(7), 1)
    // Of a list in parts, the first part: lines that say something.
    assert.deepStrictEqual([shown(Array.from({ length: 250 }, () => 0)), shown(Array.from({ length: 20_000 }, () => 0))], [1 + 3 + 100, 1 + 2 + 100 + 100])
  })

  it("a folded value shows its beginning, and reads no more than that", () => {
    const short = (json: string): string => shortOf(JSON.parse(marked(json)), Object.keys)
    assert.strictEqual(short(`{"at":0,"event":"view","none":null,"price":19.90,"in":{"a":1},"list":[1],"{}":{},"[]":[]}`),
      `at: 0, event: "view", none: null, price: 19.90, in: {…}, list: […], {}: {}, []: []`)
    assert.strictEqual(short(`{"":1,"a":""}`), `"": 1, a: ""`)
    assert.deepStrictEqual([short("[1,[2],\"x\"]"), short("[{},{\"a\":1},[1],{},{}]"), short("{}"), short("[]")], [`1, […], "x"`, "{}, {…}, […], …", "", ""])
    assert.strictEqual(short(JSON.stringify({ ["k".repeat(50)]: "v".repeat(50), b: "v".repeat(50) })), `${"k".repeat(40)}…: "${"v".repeat(40)}…", …`)
    fc.assert(fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      let looked = 0
      const counted = Array.isArray(value) ? new Proxy(value, { get: (all, key) => (looked++, Reflect.get(all, key)) }) : value
      assert.isBelow(shortOf(counted, Object.keys).length, 200)
      assert.isBelow(looked, 250)
    }))
    const tree = new JsonTree([{ at: 0 }, "a"])
    assert.strictEqual(tree.row(1)!.text, "at: 0")
    tree.toggle(1)
    assert.strictEqual(tree.row(1)!.text, "")
  })

  it("a node is folded where it is by now, however often it is asked for, and no longer once its row is gone", () => {
    const tree = new JsonTree({ one: { at: 1 }, other: { at: 2 } })
    const [one, other] = [tree.rows[1]!.id, tree.rows[2]!.id]
    assert.deepStrictEqual([tree.fold(one, true), tree.fold(other, true), tree.fold(one, true), tree.rows.length], [1, 3, 1, 5])
    const inside = tree.rows[2]!.id
    assert.deepStrictEqual([tree.fold(one, false), tree.fold(inside, true), tree.rowWith(other), tree.rows.length], [1, -1, 2, 4])
  })

  it("a place that is folded away is level with the nearest around it, and nothing is unfolded for that", () => {
    const tree = new JsonTree({ name: "svc", list: Array.from({ length: 250 }, (_, at) => ({ at })) })
    const near = (text: string) => tree.nearest(pathOf(text)!)
    assert.deepStrictEqual(["$", "$.name", "$.list", "$.list[240].at", "$.none", "$.name.deeper"].map(near), [0, 1, 2, 2, 0, 1])
    tree.toggle(2)
    assert.deepStrictEqual([near("$.list[240].at"), near("$.list[9]")], [5, 3])
    const shown = tree.rows.length
    tree.toggle(5)
    assert.strictEqual(pathText(tree.path(near("$.list[240].at"))), "$.list[240]")
    assert.isAbove(tree.rows.length, shown)
  })

  it("a value is found where it went in a later version; a key keeps its place with another value, an item does not", () => {
    const value = { a: { b: 1 }, deep: [{ list: ["x", "y"] }, { list: ["z", "y"] }], big: Array.from({ length: 5_000 }, () => ({ is: "big" })) }
    const tree = new JsonTree(value)
    const to = (path: string, quote?: string) => {
      const found = movedTo(pathOf(path)!, quote === undefined ? undefined : { quote }, (one) => tree.value(one))
      return found && pathText(found)
    }
    assert.deepStrictEqual([to("$.a.b", "1"), to("$.a.b", "2"), to("$.a.c", "1"), to("$.a.c")], ["$.a.b", "$.a.b", undefined, undefined])
    assert.deepStrictEqual([to("$.deep[0].list[1]", "x"), to("$.deep[0].list[0]", "z"), to("$.deep[1].list[7]", "y")], ["$.deep[0].list[0]", "$.deep[1].list[0]", "$.deep[1].list[1]"])
    assert.deepStrictEqual([to("$.deep[0].list[1]", "gone"), to("$.deep[0]", "{\n  \"gone"), to("$.deep[2]", "{\n  \"gone")], [undefined, undefined, undefined])
    for (const path of ["$.deep[0]", "$.big", "$"]) {
      const quote = valueText(tree.value(pathOf(path)!)).slice(0, 1_000)
      assert.strictEqual(to(path, quote), path)
    }
    assert.strictEqual(to("$.deep[5]", valueText(value.deep[1]).slice(0, 1_000)), "$.deep[1]")
  })

  const people = (...names: ReadonlyArray<string>) => ({ people: names.map((name) => ({ id: name.charCodeAt(0), name, role: "dev", on: { at: 1 }, status: "open" })), tags: ["a", "x", "b", "x", "c"], counts: [1, 15, 2] })
  const went = (before: unknown, path: string, now: unknown): string | undefined => {
    const [one, other, keys] = [new JsonTree(before), new JsonTree(now), pathOf(path)!]
    const found = movedTo(keys, { quote: valueText(one.value(keys)), ...valuesBeside(keys, (path) => one.value(path)) }, (path) => other.value(path))
    return found && pathText(found)
  }

  it("a value is known by what is beside it: the same value in another item is none of it", () => {
    const before = people("Ada", "Cora", "Dora")
    const [ada, cora, dora] = before.people
    const status = "$.people[1].status"
    assert.deepStrictEqual(valuesBeside(pathOf(status)!, (path) => new JsonTree(before).value(path)), { prefix: "id: 67\tname: Cora\trole: dev", suffix: "" })
    assert.deepStrictEqual([
      went(before, status, before),
      went(before, status, people("Ada", "Dora")),
      went(before, status, people("New", "Ada", "Cora")),
      went(before, status, { people: [ada, { ...cora, status: "done" }, dora] }),
      went(before, status, { people: [ada, dora, { ...cora, id: 7 }] }),
      went(before, "$.people[1]", people("Ada", "Dora")),
      went(before, "$.people[1]", { people: [ada, { ...cora, status: "done" }, dora] }),
      went(before, "$.people[1].on", { people: [ada, { ...cora, on: {} }, dora] }),
      went(before, "$.people[1].on", people("Ada", "Dora"))
    ], [status, undefined, "$.people[2].status", undefined, "$.people[2].status", undefined, "$.people[1]", "$.people[1].on", undefined])
  })

  it("of a list's own values one is known by its neighbours; a number is no other one that begins like it", () => {
    const before = people()
    const tags = (...tags: ReadonlyArray<string>) => went(before, "$.tags[3]", { tags })
    assert.deepStrictEqual([tags("a", "x", "b", "x", "c"), tags("x", "b", "x", "c"), tags("a", "x", "b", "c")], ["$.tags[3]", "$.tags[2]", undefined])
    assert.deepStrictEqual([went(before, "$.counts[0]", { counts: [15, 2] }), went(before, "$.counts[0]", { counts: [9, 1, 15, 2] })], [undefined, "$.counts[1]"])
    const note = (text: string) => movedTo(["notes", 0], { quote: "the first words" }, (path) => new JsonTree({ notes: [text] }).value(path))
    assert.deepStrictEqual([note("these are the first words of it"), note("others")], [["notes", 0], undefined])
    const long = { list: [{ text: `${"x".repeat(999)}😀` }] }
    const cut = movedTo(["list", 3, "text"], { quote: `${"x".repeat(999)}\uFFFD` }, (path) => new JsonTree(long).value(path))
    assert.deepStrictEqual(cut, ["list", 0, "text"])
  })

  it("where another item like it took its place, a value is in the one item that says all of it", () => {
    const sold = (...prices: ReadonlyArray<number>) => ({ sold: prices.map((price) => ({ price, currency: "EUR" })) })
    const to = (...prices: ReadonlyArray<number>) => went(sold(10, 20), "$.sold[1].price", sold(...prices))
    assert.deepStrictEqual([to(10, 15, 20), to(10, 25), to(20, 25, 20), to(20, 20)], ["$.sold[2].price", undefined, undefined, "$.sold[1].price"])
    const answers = (mine: string, others: number) => ({ all: [{ name: "Ann", answer: mine }, { name: "Ann", answer: "yes" }, ...Array.from({ length: others }, (_, at) => ({ name: `Bob${at}`, answer: "yes" }))] })
    const answer = (others: number) => went(answers("yes", others), "$.all[0].answer", answers("no", others))
    assert.deepStrictEqual([answer(0), answer(8)], ["$.all[1].answer", undefined], "what most items say is no sign of it")
  })

  it("of a list that says nothing twice, a value is the same whatever was added beside it", () => {
    const before = { list: ["a", "b", "c", "d", "e"], rows: [{ tags: ["x", "y"] }] }
    const to = (...list: ReadonlyArray<string>) => went(before, "$.list[2]", { list })
    assert.deepStrictEqual([to("a", "1", "b", "2", "c", "3", "d"), to("a", "b", "d", "e"), to("1", "2", "c", "3", "4"), to("a", "1", "c", "1", "d")], ["$.list[4]", undefined, undefined, undefined])
    assert.strictEqual(went(before, "$.rows[0].tags[1]", { rows: [{ tags: ["y", "x"] }, { tags: ["x", "y"] }] }), "$.rows[1].tags[1]")
  })

  it("a value with nothing plain beside it is known by the rest of its item, an object by what it says", () => {
    const rows = (...ids: ReadonlyArray<number>) => ({ rows: ids.map((id) => ({ meta: { id }, kind: "row", on: [true] })) })
    assert.deepStrictEqual(valuesBeside(["rows", 0, "kind"], (path) => new JsonTree(rows(7)).value(path)), { prefix: "id: 7", suffix: "true" })
    const to = (path: string, ...ids: ReadonlyArray<number>) => went(rows(1, 2, 3), `$.rows[1].${path}`, rows(...ids))
    assert.deepStrictEqual([to("kind", 1, 9, 2, 3), to("kind", 1, 3), to("meta.id", 1, 9, 2, 3), to("meta.id", 1, 3)], ["$.rows[2].kind", undefined, "$.rows[2].meta.id", undefined])
    assert.deepStrictEqual([to("meta", 1, 9, 2, 3), to("meta", 1, 3), to("meta", 1, 2, 3)], ["$.rows[2].meta", undefined, "$.rows[1].meta"])
  })

  it("words are found in keys and values, in reading order", () => {
    const found = (value: unknown, words: string) => [...search(value, words)].flatMap((one) => one === undefined ? [] : [pathText(pathTo(one.match))])
    assert.deepStrictEqual(found({ Ada: 1, b: ["x ada", { c: null }], d: { ada: "Ada" } }, "ada"), ["$.Ada", "$.b[0]", "$.d.ada"])
    assert.deepStrictEqual([found("ada", "AD"), found([null, true], "nul")], [["$"], ["$[0]"]])
  })

  it("a value quoted by hand is where all of it is said, or its line, or its key, or some of its words; of several that say it the first, or none", () => {
    const root = { timeout: 30, items: [{ name: "Ada", age: 30 }, { name: "Bob the builder", "odd key": true, age: 7 }], note: "Ask Ada" }
    const found = (quote: string, isOnly = false) => {
      const steps = saying(root, quote, valueText, isOnly)
      let step = steps.next()
      while (step.done !== true) step = steps.next()
      return step.value && pathText(step.value)
    }
    const quotes = ["Ada", "\"Ada\"", "\"age\": 30,", "age: 7", "odd key", "the builder", "30", "true", "Nobody", "3", " "]
    assert.deepStrictEqual(quotes.map((quote) => found(quote)), [
      "$.items[0].name", "$.items[0].name", "$.items[0].age", "$.items[1].age", "$.items[1][\"odd key\"]", "$.items[1].name", "$.timeout", "$.items[1][\"odd key\"]", undefined, undefined, undefined
    ])
    assert.deepStrictEqual([found("30", true), found("7", true)], [undefined, "$.items[1].age"])
  })

  it("is set out line by line without being read, whatever is cut off", () => {
    fc.assert(fc.property(fc.json(), (text) => assert.deepStrictEqual(JSON.parse(indented(text)), JSON.parse(text))))
    assert.strictEqual(indented("{\"a\":[1,{}],\"b"), "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b")
    assert.isBelow(indented("[".repeat(64 * 1024)).length, 70 * 64 * 1024)
  })
})
