// Package repository has no code: its tests hold what the repository as a whole promises. Packages
// import downwards only, every attack and every claim of a table names a test that there is, links
// lead somewhere, and the README's figures are those measured.
package repository
