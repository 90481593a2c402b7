package accesslog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
)

// Compression is how an input is packed.
type Compression uint8

// The compressions that are recognized.
const (
	Plain Compression = iota
	Gzip
	Zstd
	Bzip2
	XZ
	LZ4
)

// maxWindow is what the zstd command takes unless it is told otherwise; without
// a bound a few bytes of input could ask for any amount of memory.
const maxWindow = 128 << 20

// String is the usual name; empty for plain text.
func (c Compression) String() string {
	return [...]string{"", "gzip", "zstd", "bzip2", "xz", "lz4"}[c]
}

// Unpack finds out by its first bytes how r is packed, and returns the text.
// The text of an empty or plain input is the input. It must be closed.
func Unpack(r io.Reader) (io.ReadCloser, Compression, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, _ := b.Peek(6) // an error comes again with the first read
	c := recognize(head)
	text, err := unpack(b, c)
	if err != nil {
		return nil, c, fmt.Errorf("open %s: %w", c, err)
	}
	return text, c, nil
}

func recognize(head []byte) Compression {
	starts := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case starts("\x1f\x8b"):
		return Gzip
	case starts("\x28\xb5\x2f\xfd"), len(head) >= 4 && head[0]&0xf0 == 0x50 && starts(string(head[0])+"\x2a\x4d\x18"):
		return Zstd
	case len(head) >= 4 && starts("BZh") && head[3] >= '1' && head[3] <= '9':
		return Bzip2
	case starts("\xfd7zXZ\x00"):
		return XZ
	case starts("\x04\x22\x4d\x18"):
		return LZ4
	}
	return Plain
}

func unpack(b *bufio.Reader, c Compression) (io.ReadCloser, error) {
	switch c {
	case Gzip:
		return gzip.NewReader(b)
	case Zstd:
		d, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	case Bzip2:
		return io.NopCloser(bzip2.NewReader(b)), nil
	case XZ:
		x, err := xz.NewReader(b)
		return io.NopCloser(x), err
	case LZ4:
		return io.NopCloser(lz4.NewReader(b)), nil
	case Plain:
	}
	return io.NopCloser(b), nil
}
