package report

import (
	"bytes"
	"encoding/json"
)

// appendJSON appends text as a JSON string.
func appendJSON(b []byte, text string) []byte {
	if plainText(text) && !bytes.ContainsAny([]byte(text), `"\`) {
		b = append(b, '"')
		b = append(b, text...)
		return append(b, '"')
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return append(b, `""`...) // a string always has a JSON form
	}
	return append(b, quoted...)
}
