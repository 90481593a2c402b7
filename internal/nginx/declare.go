package nginx

import "github.com/nglimit/nglimit/parser"

// declare reads what has no place: zones, maps and the like work for all of
// http wherever they stand in the text. A zone below http is refused by
// nginx; it is read all the same, so that the limits that use it are not
// called undefined on top of it.
func (b *builder) declare() {
	if http := b.config.HTTP; http != nil {
		b.declareIn(http, ConnZone)
	}
	if stream := b.config.Stream; stream != nil {
		b.declareIn(stream, StreamConnZone)
	}
}

func (b *builder) declareIn(at *Block, conn ZoneKind) {
	for _, d := range at.order {
		b.declareOne(at, d, conn)
	}
	for _, inner := range at.Children {
		b.declareIn(inner, conn)
	}
}

func (b *builder) declareOne(at *Block, d *parser.Directive, conn ZoneKind) {
	switch d.Name {
	case "limit_req_zone":
		b.addReqZone(d)
		return
	case "limit_conn_zone":
		b.addConnZone(d, conn)
		return
	}
	if at.Level != HTTPLevel {
		return
	}
	switch d.Name {
	case "map":
		b.addMap(d)
	case "geo":
		b.addGeo(d)
	case "split_clients":
		b.addSplit(d)
	case "log_format":
		b.addFormat(d)
	}
}
